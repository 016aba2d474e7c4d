#include "sim/circle.hpp"
