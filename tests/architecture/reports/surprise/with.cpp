#include "reports/allowed.hpp"
#include "surprise/allowed.hpp"
