# Any C library by zig, the compiler of PyPI's package ziglang: clang with libc++, linked in.
# STARTLE_ZIG: the program zig. STARTLE_TARGET: processor, system and C library as zig names them, such as
# x86_64-linux-gnu.2.28 (glibc 2.28 or newer) or aarch64-linux-musl. STARTLE_LIBRARIES: the folder that
# scripts/libraries has filled. Each may be a variable of the environment.
foreach(name STARTLE_ZIG STARTLE_TARGET STARTLE_LIBRARIES)
  if(NOT DEFINED ${name})
    set(${name} $ENV{${name}})
  endif()
endforeach()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES STARTLE_ZIG STARTLE_TARGET STARTLE_LIBRARIES)
set(CMAKE_SYSTEM_NAME Linux)
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR "${STARTLE_TARGET}")
set(CMAKE_C_COMPILER ${STARTLE_ZIG} cc -target ${STARTLE_TARGET})
set(CMAKE_CXX_COMPILER ${STARTLE_ZIG} c++ -target ${STARTLE_TARGET})
foreach(language C CXX)
  set(CMAKE_${language}_ARCHIVE_CREATE "\"${STARTLE_ZIG}\" ar qcs <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "\"${STARTLE_ZIG}\" ar qs <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "\"${STARTLE_ZIG}\" ranlib <TARGET>")
endforeach()
find_program(CMAKE_STRIP NAMES ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-strip REQUIRED)  # binutils
# STARTLE_LIBRARIES before what this machine has.
set(CMAKE_PREFIX_PATH ${STARTLE_LIBRARIES} ${CMAKE_PREFIX_PATH})
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
# What each Python calls its modules differs between C libraries; all of them take this.
set(PYTHON_MODULE_EXTENSION .so)
set(PYTHON_MODULE_DEBUG_POSTFIX "")
set(PYTHON_IS_DEBUG OFF)
# Asked for nowhere; pybind11 would try it, for which zig builds another libc++.
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)
