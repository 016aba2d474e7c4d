#pragma once
/// \file  Options and commands of older versions.
#include <string>

#include "app/cli.hpp"

namespace startle {

/// After parsing has failed: "", or a line for the first option or command left over that an older version
/// had, which says what to use now.
std::string former_hint(const CLI::App& app);

}  // namespace startle
