/// \file  startle._startle: what of the engine Python sees.
#include <pthread.h>

#include "agents/agent.hpp"
#include "core/engine_version.hpp"
#include "core/error.hpp"
#include "python/bound.hpp"

namespace {

/// Threads have 128 KiB of stack in musl unless the program, here Python, says otherwise; a Box2D world alone
/// takes 100 KiB.
void enlarge_stacks() {
#if defined(__linux__) && !defined(__GLIBC__)
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
#endif
}

}  // namespace

PYBIND11_MODULE(_startle, module) {
  using namespace startle;
  enlarge_stacks();
  module.attr("__version__") = STARTLE_VERSION;
  module.attr("ENGINE") = engine_name();
  module.attr("SOURCE_FOLDER") = STARTLE_SOURCE_FOLDER;
  module.attr("PROGRAM") = STARTLE_PROGRAM;

  static const py::handle error = PyErr_NewExceptionWithDoc(
      "startle.Error",
      "What was asked for cannot be done: the message says what was found and what is allowed.",
      PyExc_ValueError, nullptr);
  module.attr("Error") = error;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& e) {
      PyErr_SetString(error.ptr(), e.what());
    } catch (const AgentFailure& e) {
      PyErr_SetString(error.ptr(), e.what());
    }
  });

  add_levels(module);
  add_environments(module);
  add_clips(module);
  add_measures(module);
  add_statistics(module);
}
