#pragma once
/// \file  Metrics, intervals, tests, and evidence over shots.
#include "statistics/detection.hpp"
#include "statistics/intervals.hpp"
#include "statistics/paired_accuracy.hpp"
#include "statistics/rank_correlation.hpp"
#include "statistics/roc.hpp"
#include "statistics/sequential_evidence.hpp"
#include "statistics/significance.hpp"
