#include "render/allowed.hpp"
#include "surprise/loads_too_much.hpp"
#include "viewer/drawing/needs_a_display.hpp"
