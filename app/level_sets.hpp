#pragma once
/// \file  What commands say of folders of levels that were not all made for them (levels/placed_levels.hpp),
/// and of how hard novelties are to detect there.
#include <optional>
#include <string>
#include <vector>

#include "app/cli.hpp"
#include "core/error.hpp"
#include "levels/placed_levels.hpp"

namespace startle {

/// Of --strict: throws Error, naming the first levels, where one is left out.
void require_all(const std::vector<LeftOutLevel>& left_out, std::size_t files);

/// One line on standard error, which begins with `of`, with the reasons, and one for each of the first files
/// that are no levels; nothing where nothing is left out.
void report_left_out(const std::string& of, const std::vector<LeftOutLevel>& left_out, std::size_t files);

/// "no level can be played: not stable 3", with what is wrong with the first that cannot be read. `of`: the
/// path that was given.
Error none_can_be_played(const std::string& of, const std::vector<LeftOutLevel>& left_out);

/// One line on standard error: how many levels of the novelty are in each tier, by predicted p_level.
void report_tiers(const std::string& novelty, const std::vector<double>& difficulties);

/// One line on standard error: in how many levels the novelty cannot be detected, how many are in each third
/// where there are thirds, and the median value. A second line where the median is over 0.75: the novelty
/// does not suit these levels.
void report_values(const std::string& novelty, const std::vector<double>& values,
                   const std::optional<ThirdThresholds>& thirds);

/// One line on standard error where detection is predicted of a novelty, "T2@6", at a strength that the
/// prediction was not fitted at.
void report_extrapolated(const std::string& novelty);

}  // namespace startle
