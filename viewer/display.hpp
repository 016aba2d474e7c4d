#pragma once
/// \file  Whether there is a display to open a window on.

namespace startle {

/// Throws Error, saying what to do, when there is none. SFML would end the program.
void require_display();

}  // namespace startle
