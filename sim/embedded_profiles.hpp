#pragma once
/// \file  The profile files as strings, compiled in (see sim/CMakeLists.txt). Used by profile.cpp alone.
#include <map>
#include <string>

namespace startle {
const std::map<std::string, std::string>& embedded_profiles();
}
