#pragma once
/// \file  The files of the models of laws as strings, compiled in (see noticing/CMakeLists.txt), by steps between looks. Read by law_model.cpp.
#include <map>

namespace startle {
const std::map<int, const char*>& shipped_law_texts();
}
