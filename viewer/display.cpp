#include "viewer/display.hpp"

#include <X11/Xlib.h>

#include <cstdlib>
#include <string>

#include "core/error.hpp"

namespace startle {

// In a file of its own: Xlib defines None, Bool and the like as macros.
void require_display(const std::string& command, const std::string& help) {
  const char* name = std::getenv("DISPLAY");
  const std::string needed = "; " + command + " needs an X display. " + help;
  if (name == nullptr || *name == '\0') throw Error("no display: DISPLAY is not set" + needed);
  // Kept open: a server without clients, as Xvfb is between this call and the window, would start anew and
  // turn SFML away.
  static Display* const display = XOpenDisplay(nullptr);
  if (display == nullptr)
    throw Error("no display: '" + std::string(name) + "', which DISPLAY names, cannot be opened" + needed);
  int code = 0, event = 0, error = 0;
  if (XQueryExtension(display, "GLX", &code, &event, &error) == 0)
    throw Error("no OpenGL: the X server of '" + std::string(name) + "', which DISPLAY names, has no GLX; " +
                command + " needs an X display that has. " + help);
}

}  // namespace startle
