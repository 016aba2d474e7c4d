#include "app/reports/allowed.hpp"
#include "surprise/allowed.hpp"
