#include "sim/trace.hpp"

namespace startle {

const char* name(EventKind kind) {
  switch (kind) {
    case EventKind::launch:
      return "launch";
    case EventKind::tap:
      return "tap";
    case EventKind::spawn:
      return "spawn";
    case EventKind::contact:
      return "contact";
    case EventKind::damage:
      return "damage";
    case EventKind::destroyed:
      return "destroyed";
    case EventKind::explosion:
      return "explosion";
    case EventKind::out_of_world:
      return "out_of_world";
    case EventKind::bird_gone:
      return "bird_gone";
  }
  return "";
}

const char* name(EndReason reason) {
  switch (reason) {
    case EndReason::settled:
      return "settled";
    case EndReason::cleared:
      return "cleared";
    case EndReason::time_limit:
      return "time_limit";
  }
  return "";
}

}  // namespace startle
