# What every target of the project shares: language level, warnings, and the flags that keep
# simulation results equal bit for bit between machines, compilers and build types.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# CMake's -O3 takes an eighth more of the compiler's time than -O2, and the programs are no faster by it.
string(REPLACE -O3 -O2 CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# GCC stops early to look for memory that it can use again. Where there is enough for each processor it may
# wait: a tenth of its time, for a quarter of a gigabyte more.
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)  # MiB
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR memory "${memory} / ${processors}")
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND memory GREATER_EQUAL 2000)
  add_compile_options(--param=ggc-min-heapsize=500000)
endif()

find_package(Threads REQUIRED)
find_program(STARTLE_CCACHE ccache)
if(STARTLE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${STARTLE_CCACHE})
endif()

# Files of one folder are compiled several as one: what they include costs more than they do (figures in
# docs/engine.md). -DCMAKE_UNITY_BUILD=OFF compiles each by itself, which is quicker for whoever changes
# one file again and again.
option(CMAKE_UNITY_BUILD "Compile the files of a folder several as one" ON)
set(STARTLE_UNITY_GROUP_SIZE 12 CACHE STRING "So many files at most are compiled as one")

# -ffp-contract=off: a fused multiply-add rounds once where two operations round twice, so the same
# source would give other bits on machines that have it.
add_library(startle_options INTERFACE)
target_compile_features(startle_options INTERFACE cxx_std_20)
set(warnings -Wall -Wextra -Wpedantic -Wshadow
  # Designated initialisers leave the other members at the defaults their struct states.
  -Wno-missing-field-initializers
  # GCC 12 warns of std::string concatenation without cause (GCC bug 105651), and takes a file that is
  # compiled with others for a header, whose types should not hold those of unnamed namespaces.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
  # Of names in the unnamed namespaces of files that are compiled as one with this file.
  $<$<AND:$<CXX_COMPILER_ID:Clang>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-shadow>
  # From GCC 13 on: it warns wherever a temporary string goes in and a reference comes out, also one into a
  # catalogue.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>
)
target_compile_options(startle_options INTERFACE -ffp-contract=off "$<BUILD_INTERFACE:${warnings}>")
target_include_directories(startle_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                           $<INSTALL_INTERFACE:include> $<INSTALL_INTERFACE:include/startle/internal>)
target_link_libraries(startle_options INTERFACE Threads::Threads)

# What fuzz targets read with is compiled with the sanitizers and the fuzzer's counters, from the first module
# on.
if(STARTLE_BUILD_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "STARTLE_BUILD_FUZZ needs clang: libFuzzer is part of it")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
                      -D_GLIBCXX_ASSERTIONS -g1 -O1)
  add_link_options(-fsanitize=address,undefined)
endif()

# startle_unity_groups(<target> <source>...)
# The target's files, absolute paths, in groups of equal size of one folder each: names in unnamed namespaces
# differ within a folder.
function(startle_unity_groups target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  set(folders "")
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    list(APPEND folders ${folder})
    list(APPEND "files_${folder}" ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    get_filename_component(name ${folder} NAME)
    list(LENGTH "files_${folder}" count)
    math(EXPR groups "(${count} + ${STARTLE_UNITY_GROUP_SIZE} - 1) / ${STARTLE_UNITY_GROUP_SIZE}")
    set(i 0)
    foreach(source IN LISTS "files_${folder}")
      math(EXPR group "${i} * ${groups} / ${count}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${group})
      math(EXPR i "${i} + 1")
    endforeach()
  endforeach()
endfunction()

# startle_optimise_little(<target>)
# For what reads options, runs agents, serves pages and arranges results: its time is spent in the modules it
# calls, and a third of the compiler's is saved.
function(startle_optimise_little target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# startle_module(<name> [FOLDER <folder>] [WITHOUT <folder>...] [SEPARATE <source>...] [USES <module>...]
#                [TOGETHER <source>...] [PRIVATE <library>...])
# Declares the static library startle_<name>, alias startle::<name>, from the .cpp files of the current folder
# and those below it, but for those of the folders WITHOUT names and of modules of their own, which have a
# CMakeLists.txt; with FOLDER, from those of that folder alone: a second library of the module. USES names the
# modules it may include; PRIVATE the third-party libraries it owns, SEPARATE the files that are never
# compiled with others: macros of what they include, or names in unnamed namespaces, would meet others;
# TOGETHER those that are compiled as one, as they instantiate the same templates.
function(startle_module name)
  cmake_parse_arguments(MODULE "" "FOLDER" "WITHOUT;SEPARATE;TOGETHER;USES;PRIVATE" ${ARGN})
  if(MODULE_FOLDER)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${MODULE_FOLDER}/*.cpp)
  else()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  endif()
  foreach(folder IN LISTS MODULE_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
  endforeach()
  file(GLOB inner CONFIGURE_DEPENDS */CMakeLists.txt)
  foreach(list IN LISTS inner)
    get_filename_component(folder ${list} DIRECTORY)
    list(FILTER sources EXCLUDE REGEX "^${folder}/")
  endforeach()
  add_library(startle_${name} STATIC ${sources})
  add_library(startle::${name} ALIAS startle_${name})
  startle_unity_groups(startle_${name} ${sources})
  set_source_files_properties(${MODULE_SEPARATE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_source_files_properties(${MODULE_TOGETHER} PROPERTIES UNITY_GROUP ${name}_together)
  target_link_libraries(startle_${name} PUBLIC startle_options)
  foreach(module IN LISTS MODULE_USES)
    # Modules are declared in the order of dependency, so that none can form a cycle.
    if(NOT TARGET startle::${module})
      message(FATAL_ERROR "module ${name} uses ${module}, which is not declared before it")
    endif()
    target_link_libraries(startle_${name} PUBLIC startle::${module})
  endforeach()
  target_link_libraries(startle_${name} PRIVATE ${MODULE_PRIVATE})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set_property(GLOBAL PROPERTY STARTLE_MODULE_${name}_FOLDER ${folder})
  string(REGEX REPLACE "/.*" "" room ${folder})
  set_property(GLOBAL APPEND PROPERTY STARTLE_ROOMS ${room})
endfunction()

set(STARTLE_TEST_SECONDS 240 CACHE STRING "Longest time of a fast test; sanitizers need more")

# startle_test(<module> [SEPARATE <source>...] [USES <module>...] [PRIVATE <library>...])
# One test program per module from the .cpp files of its folder in tests/, which is called as that of the
# module is; each test case becomes one CTest test. SEPARATE as above, in that folder.
function(startle_test module)
  cmake_parse_arguments(TEST "" "" "SEPARATE;USES;PRIVATE" ${ARGN})
  set(folder ${module})
  get_property(declared GLOBAL PROPERTY STARTLE_MODULE_${module}_FOLDER)
  if(declared)
    set(folder ${declared})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${module} ${sources})
  startle_unity_groups(test_${module} ${sources})
  # Two fifths of the compiler's time are saved, and the time of tests is spent in the modules.
  target_compile_options(test_${module} PRIVATE -O0)
  if(STARTLE_BUILD_FUZZ)
    # What is tested is checked in full; of the tests themselves a use of what is gone.
    target_compile_options(test_${module} PRIVATE -fno-sanitize=fuzzer-no-link,undefined)
  endif()
  list(TRANSFORM TEST_SEPARATE PREPEND ${folder}/)
  set_source_files_properties(${TEST_SEPARATE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(test_${module} PRIVATE startle_options ${TEST_PRIVATE} Catch2::Catch2WithMain)
  foreach(used IN LISTS TEST_USES)
    target_link_libraries(test_${module} PRIVATE startle::${used})
  endforeach()
  set(skipped SKIP_REGULAR_EXPRESSION "the test is skipped: ")  # tests/skip.hpp
  catch_discover_tests(test_${module} TEST_SPEC "~[slow]"
                       PROPERTIES LABELS "${module}" TIMEOUT ${STARTLE_TEST_SECONDS} ${skipped})
  catch_discover_tests(test_${module} TEST_SPEC "[slow]" TEST_SUFFIX " (slow)"
                       PROPERTIES LABELS slow TIMEOUT 600 ${skipped})
endfunction()
