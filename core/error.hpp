#pragma once
/// \file  The one exception type for bad input and for files that cannot be read or written.
#include <stdexcept>
#include <string>

namespace startle {

/// Thrown when a file, an argument or a level cannot be used. The message names the file or the
/// argument, the place, what was found and what is allowed; programs print it and exit with code 2.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace startle
