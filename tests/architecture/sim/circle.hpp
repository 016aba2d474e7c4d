#include "sim/circle_back.hpp"
