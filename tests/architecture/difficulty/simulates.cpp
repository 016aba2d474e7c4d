#include "sim/scene.hpp"
#include "sim/world.hpp"
