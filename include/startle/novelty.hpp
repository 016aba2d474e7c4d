#pragma once
/// \file  Novelties: the catalogue, and changes of one's own.
#include "sim/novelty.hpp"
#include "sim/parameters.hpp"
