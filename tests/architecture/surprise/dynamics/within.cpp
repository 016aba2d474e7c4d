#include "sim/allowed.hpp"
#include "surprise/module_around_it.hpp"
