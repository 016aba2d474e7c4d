# What every target of the project shares: language level, warnings, and the flags that keep
# simulation results equal bit for bit between machines, compilers and build types.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

find_package(Threads REQUIRED)
find_program(STARTLE_CCACHE ccache)
if(STARTLE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${STARTLE_CCACHE})
endif()

# -ffp-contract=off: a fused multiply-add rounds once where two operations round twice, so the same
# source would give other bits on machines that have it.
add_library(startle_options INTERFACE)
target_compile_options(startle_options INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow
  # Designated initialisers leave the other members at the defaults their struct states.
  -Wno-missing-field-initializers
  # GCC 12 warns of std::string concatenation without cause (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_include_directories(startle_options INTERFACE ${PROJECT_SOURCE_DIR})
target_link_libraries(startle_options INTERFACE Threads::Threads)

# startle_room(<name> [WITHOUT <folder>] [USES <room>...] [PRIVATE <library>...])
# Declares the static library startle_<name>, alias startle::<name>, from the .cpp files of the
# current folder and those below it, but for those of the folder WITHOUT names. USES names the rooms it may include; PRIVATE the third-party libraries it owns.
function(startle_room name)
  cmake_parse_arguments(ROOM "" "WITHOUT" "USES;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  if(ROOM_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${ROOM_WITHOUT}/")
  endif()
  add_library(startle_${name} STATIC ${sources})
  add_library(startle::${name} ALIAS startle_${name})
  target_link_libraries(startle_${name} PUBLIC startle_options)
  foreach(room IN LISTS ROOM_USES)
    if(NOT TARGET startle::${room}) # rooms are declared in the order of dependency, so that none can form a cycle
      message(FATAL_ERROR "room ${name} uses ${room}, which is not declared before it")
    endif()
    target_link_libraries(startle_${name} PUBLIC startle::${room})
  endforeach()
  target_link_libraries(startle_${name} PRIVATE ${ROOM_PRIVATE})
  set_property(GLOBAL APPEND PROPERTY STARTLE_ROOMS ${name})
  set_property(GLOBAL PROPERTY STARTLE_ROOM_${name}_USES "${ROOM_USES}")
endfunction()

# startle_test(<room> [USES <room>...] [PRIVATE <library>...])
# One test program per room from tests/<room>/*.cpp; each test case becomes one CTest test.
function(startle_test room)
  cmake_parse_arguments(TEST "" "" "USES;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${room} ${sources})
  target_link_libraries(test_${room} PRIVATE startle_options ${TEST_PRIVATE} Catch2::Catch2WithMain)
  foreach(used IN LISTS TEST_USES)
    target_link_libraries(test_${room} PRIVATE startle::${used})
  endforeach()
  catch_discover_tests(test_${room} TEST_SPEC "~[slow]" PROPERTIES LABELS "${room}" TIMEOUT 120)
  catch_discover_tests(test_${room} TEST_SPEC "[slow]" TEST_SUFFIX " (slow)" PROPERTIES LABELS slow TIMEOUT 600)
endfunction()
