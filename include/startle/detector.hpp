#pragma once
/// \file  Detectors of novelty: those that agents are made with, and the dynamics model.
#include "agents/detectors.hpp"
#include "surprise/dynamics/dynamics_model.hpp"
