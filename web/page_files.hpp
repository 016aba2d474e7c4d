#pragma once
/// \file  The files of web/page, as they were when the program was built; CMakeLists.txt writes them.
#include <map>
#include <string>

namespace startle {

/// Contents by name: "index.html".
const std::map<std::string, std::string>& page_files();

}  // namespace startle
