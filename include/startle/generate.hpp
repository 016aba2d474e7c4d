#pragma once
/// \file  Levels made: families, and a search for levels of a tier.
#include "levels/generators.hpp"
#include "levels/search.hpp"
