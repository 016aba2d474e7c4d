#pragma once
/// \file  The files of the dynamics model as strings, compiled in (see CMakeLists.txt), by name
/// without ending. Read by dynamics_model.cpp.
#include <map>
#include <string>

namespace startle {
const std::map<std::string, const char*>& shipped_dynamics_texts();
}
