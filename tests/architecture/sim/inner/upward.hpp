#include "render/allowed.hpp"
#include "sim/allowed.hpp"
