# What `cmake --install` and CPack put below a prefix: bin/ (the programs), share/startle (levels, models,
# example agents), share/doc/startle, the Python package, and for find_package(startle) the public headers,
# with the modules that need neither LibTorch nor a window as libraries.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(installed_modules core sim statistics qualitative impulse difficulty simulated levels dynamics render
                      agents)

# Components, each a package for Debian: programs (startle), surprise, rollouts, viewer, and libraries.
install(TARGETS startle startle-people COMPONENT programs)
foreach(program startle startle-people)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/manual/${program}/ DESTINATION share/man/man1 COMPONENT programs)
endforeach()
foreach(part surprise rollouts viewer)
  if(TARGET startle-${part})
    install(TARGETS startle-${part} COMPONENT ${part})
    install(DIRECTORY ${PROJECT_BINARY_DIR}/manual/startle-${part}/ DESTINATION share/man/man1
            COMPONENT ${part})
  endif()
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/manual/startle.bash DESTINATION share/bash-completion/completions
        RENAME startle COMPONENT programs)
install(FILES ${PROJECT_BINARY_DIR}/manual/_startle DESTINATION share/zsh/vendor-completions
        COMPONENT programs)
install(DIRECTORY levels/data levels/benchmark DESTINATION share/startle/levels COMPONENT programs)
if(TARGET startle-surprise)
  install(DIRECTORY surprise/models DESTINATION share/startle/surprise COMPONENT surprise)
endif()
install(DIRECTORY agents/examples DESTINATION share/startle/agents
        COMPONENT programs PATTERN __pycache__ EXCLUDE)
install(FILES people/sample-consent.txt people/sample-questions.json
        DESTINATION share/startle/people COMPONENT programs)
install(DIRECTORY docs/ DESTINATION share/doc/startle/docs COMPONENT programs)
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION share/doc/startle COMPONENT programs)

# The wheel, by scikit-build-core (pyproject.toml), which adds the Python files.
if(SKBUILD)
  install(TARGETS _startle LIBRARY DESTINATION startle COMPONENT wheel EXCLUDE_FROM_ALL)
  install(TARGETS startle startle-people DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT wheel EXCLUDE_FROM_ALL)
  install(DIRECTORY levels/data levels/benchmark DESTINATION ${SKBUILD_DATA_DIR}/share/startle/levels
          COMPONENT wheel EXCLUDE_FROM_ALL)
  install(FILES surprise/models/default.safetensors
          DESTINATION ${SKBUILD_DATA_DIR}/share/startle/surprise/models COMPONENT wheel EXCLUDE_FROM_ALL)
  install(DIRECTORY agents/examples DESTINATION ${SKBUILD_DATA_DIR}/share/startle/agents
          COMPONENT wheel EXCLUDE_FROM_ALL PATTERN __pycache__ EXCLUDE)
endif()

# find_package(startle), target startle::startle: #include <startle/world.hpp>. Public are the headers of
# include/startle. What they include is installed below internal/, and may change with any version.
include(PublicHeaders)
file(GLOB public_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} include/startle/*.hpp)
startle_included_headers(installed_headers ${public_headers})
foreach(header IN LISTS installed_headers)
  get_filename_component(folder ${header} DIRECTORY)
  if(NOT header IN_LIST public_headers)
    string(PREPEND folder include/startle/internal/)
  endif()
  install(FILES ${header} DESTINATION ${folder} COMPONENT libraries)
endforeach()
set(package lib/cmake/startle)
add_library(startle_all INTERFACE)
set_target_properties(startle_all PROPERTIES EXPORT_NAME startle)
foreach(module IN LISTS installed_modules)
  set_target_properties(startle_${module} PROPERTIES EXPORT_NAME ${module})
  target_link_libraries(startle_all INTERFACE startle_${module})
  install(TARGETS startle_${module} EXPORT startle DESTINATION lib COMPONENT libraries)
endforeach()
install(TARGETS startle_all startle_options startle_libsvm agg EXPORT startle COMPONENT libraries)
install(EXPORT startle NAMESPACE startle:: FILE startle-targets.cmake DESTINATION ${package}
        COMPONENT libraries)
configure_package_config_file(cmake/startle-config.cmake.in ${PROJECT_BINARY_DIR}/startle-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/startle-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/startle-config.cmake ${PROJECT_BINARY_DIR}/startle-config-version.cmake
        DESTINATION ${package} COMPONENT libraries)

# `cpack --config build/CPackConfig.cmake`: packages for Debian. What needs LibTorch, or a window with its
# drivers, is apart, as those are most of what would be installed.
set(CPACK_PACKAGE_NAME startle)
set(CPACK_PACKAGE_CONTACT "The Startle developers <startle@localhost>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL "")

# The changelog as Debian's policy has it, at the date of the release.
file(STRINGS CITATION.cff released REGEX "^date-released: ")
string(REPLACE "date-released: " "" released ${released})
execute_process(COMMAND env LC_ALL=C date -u -R -d ${released} OUTPUT_VARIABLE released
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
configure_file(packaging/changelog.in packaging/changelog @ONLY)
execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/packaging/changelog COMMAND_ERROR_IS_FATAL ANY)

# startle_debian_package(<package> <section> <summary> <description> <component>...)
function(startle_debian_package package section summary description)
  string(TOUPPER ${package} group)
  foreach(component IN LISTS ARGN)
    string(TOUPPER ${component} upper)
    set(CPACK_COMPONENT_${upper}_GROUP ${package} PARENT_SCOPE)
  endforeach()
  set(CPACK_DEBIAN_${group}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${group}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${group}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${ARGN} PARENT_SCOPE)
  list(GET ARGN 0 component)
  install(FILES packaging/copyright ${PROJECT_BINARY_DIR}/packaging/changelog.gz
          DESTINATION share/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES packaging/overrides/${package} DESTINATION share/lintian/overrides
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(programs programs)
set(CPACK_DEBIAN_STARTLE_PACKAGE_RECOMMENDS fonts-dejavu-core)
if(STARTLE_BUILD_PYTHON)
  list(APPEND programs python-debian)
  set(CPACK_DEBIAN_STARTLE_PACKAGE_RECOMMENDS "python3, python3-numpy, fonts-dejavu-core")
endif()
set(CPACK_DEBIAN_STARTLE_PACKAGE_SUGGESTS "bubblewrap, startle-surprise, startle-rollouts, startle-viewer, python3-h5py, ffmpeg")
startle_debian_package(startle science "measures how hard a change of a physical world is to notice"
"Startle simulates levels in the manner of Angry Birds, normal ones and novel
ones, and computes for each novelty how hard it is to detect. It runs agents,
and scores people and learned models on the same levels. This package has the
programs, levels, example agents, pages and the Python package."
  ${programs})
if(TARGET startle-surprise)
  set(CPACK_DEBIAN_STARTLE-SURPRISE_PACKAGE_DEPENDS "startle (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_STARTLE-SURPRISE_PACKAGE_RECOMMENDS libopenblas0-pthread)
  startle_debian_package(startle-surprise science "learned models for Startle, and how surprised they are"
"The commands startle surprise and startle probe: they train models of the
normal world, measure their surprise, and test them on probes of intuitive
physics. The shipped models are here, too. They need LibTorch."
    surprise)
endif()
if(TARGET startle-rollouts)
  set(CPACK_DEBIAN_STARTLE-ROLLOUTS_PACKAGE_DEPENDS "startle (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_STARTLE-ROLLOUTS_PACKAGE_RECOMMENDS python3-h5py)
  startle_debian_package(startle-rollouts science "episodes of Startle for training world models"
"The command startle rollouts: it writes what happens in levels of Startle, poses,
velocities, contacts, events and pictures, to HDF5 files. Python loads them."
    rollouts)
endif()
if(TARGET startle-viewer)
  set(CPACK_DEBIAN_STARTLE-VIEWER_PACKAGE_DEPENDS "startle (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_STARTLE-VIEWER_PACKAGE_RECOMMENDS fonts-dejavu-core)
  startle_debian_package(startle-viewer science "window to play levels of Startle in"
"The commands startle play and startle study-people run: they show and edit
levels, watch agents, and run a study with participants."
    viewer)
endif()
set(CPACK_DEBIAN_LIBSTARTLE-DEV_PACKAGE_DEPENDS
    "libbox2d-dev, nlohmann-json3-dev, libeigen3-dev, libsvm-dev, libagg-dev, libpng-dev, libgif-dev, libsqlite3-dev, libsodium-dev, pkg-config")
startle_debian_package(libstartle-dev libdevel "C++ libraries of Startle"
"The modules of Startle as static libraries, with their headers, for
find_package(startle) of CMake: levels, simulation, difficulty of novelties,
dynamics and agents."
  libraries)
include(CPack)
