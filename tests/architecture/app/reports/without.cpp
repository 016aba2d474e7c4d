#include "app/reports/surprise/left_out.hpp"
#include "surprise/not_always_built.hpp"
