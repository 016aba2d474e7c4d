#pragma once
/// \file  Agents: the interface, those that come with Startle, runs over levels, scores.
#include "agents/agent.hpp"
#include "agents/built_in.hpp"
#include "agents/game.hpp"
#include "agents/programs/serve.hpp"
#include "agents/trials/results_store.hpp"
#include "agents/trials/runner.hpp"
#include "agents/trials/scores.hpp"
