#pragma once
/// \file  The files of people/texts as strings by language, compiled in (see people/CMakeLists.txt).
#include <map>
#include <string>

namespace startle {
const std::map<std::string, std::string>& embedded_study_texts();
}
