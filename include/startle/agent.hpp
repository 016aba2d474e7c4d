#pragma once
/// \file  Agents: the interface, those that come with Startle, runs over levels, scores.
#include "agents/agent.hpp"
#include "agents/built_in.hpp"
#include "agents/game.hpp"
#include "agents/results_store.hpp"
#include "agents/runner.hpp"
#include "agents/scores.hpp"
#include "agents/serve.hpp"
