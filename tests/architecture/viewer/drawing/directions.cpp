#include "render/allowed.hpp"
#include "viewer/allowed.hpp"
#include "viewer/panels/not_from_drawing.hpp"
