#pragma once
/// \file  Whether there is a display to open a window on, with OpenGL.
#include <string>

namespace startle {

/// Throws Error when there is none, or none with GLX: SFML would end the program. The message names the
/// command that needs one, and ends with `help`, what to do without one.
void require_display(const std::string& command, const std::string& help);

}  // namespace startle
