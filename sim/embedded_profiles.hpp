#pragma once
/// \file  The profile files as strings, compiled in (see sim/CMakeLists.txt). Read by profile.cpp; the
/// results of agents keep a hash of them.
#include <map>
#include <string>

namespace startle {
const std::map<std::string, std::string>& embedded_profiles();
}
