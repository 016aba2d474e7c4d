#include "viewer/drawing/allowed.hpp"
