#pragma once
/// \file  The files of the models of laws as strings, compiled in (see noticing/CMakeLists.txt), by name without ending. Read by law_model.cpp.
#include <map>
#include <string>

namespace startle {
const std::map<std::string, const char*>& shipped_law_texts();
}
