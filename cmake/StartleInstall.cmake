# What `cmake --install` and CPack put below a prefix: bin/ (the programs), share/startle (levels, models,
# example agents), share/doc/startle, the Python package, and the modules that need neither LibTorch nor a
# window as libraries, for find_package(startle).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(installed_modules core sim statistics reasoning difficulty simulated levels detection render agents
    people)

install(TARGETS startle COMPONENT programs)
foreach(program startle-surprise startle-viewer)
  if(TARGET ${program})
    install(TARGETS ${program} COMPONENT programs)
  endif()
endforeach()
install(DIRECTORY levels/data levels/benchmark DESTINATION share/startle/levels COMPONENT programs)
install(DIRECTORY surprise/models DESTINATION share/startle/surprise COMPONENT programs)
install(DIRECTORY agents/examples DESTINATION share/startle/agents
        COMPONENT programs PATTERN __pycache__ EXCLUDE)
install(DIRECTORY docs/ DESTINATION share/doc/startle/docs COMPONENT programs)
install(FILES README.md CHANGELOG.md CITATION.cff LICENSE DESTINATION share/doc/startle COMPONENT programs)

# find_package(startle), targets startle::core, startle::sim and so on. Headers are included by the same names
# as here: #include "sim/world.hpp".
set(package lib/cmake/startle)
foreach(module IN LISTS installed_modules)
  set_target_properties(startle_${module} PROPERTIES EXPORT_NAME ${module})
  install(DIRECTORY ${module} DESTINATION include/startle COMPONENT libraries FILES_MATCHING PATTERN *.hpp)
  install(TARGETS startle_${module} EXPORT startle DESTINATION lib COMPONENT libraries)
endforeach()
install(TARGETS startle_options startle_libsvm agg EXPORT startle)
install(EXPORT startle NAMESPACE startle:: FILE startle-targets.cmake DESTINATION ${package}
        COMPONENT libraries)
configure_package_config_file(cmake/startle-config.cmake.in ${PROJECT_BINARY_DIR}/startle-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/startle-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/startle-config.cmake ${PROJECT_BINARY_DIR}/startle-config-version.cmake
        DESTINATION ${package} COMPONENT libraries)

# `cpack --config build/CPackConfig.cmake -G DEB`: one package with all of it, where Debian's Python finds its
# packages.
set(CPACK_PACKAGE_NAME startle)
set(CPACK_PACKAGE_CONTACT "The Startle project <startle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "measures how hard it is to notice that a physical world has changed")
set(CPACK_PACKAGE_DESCRIPTION "Startle simulates levels in the manner of Angry Birds, normal ones and novel ones, and computes
for each novelty how hard it is to detect. It runs agents, studies with people and learned models on them.")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL programs libraries)
if(STARTLE_BUILD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python-debian)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-numpy, fonts-dejavu-core")
else()
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS fonts-dejavu-core)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What a program of one's own needs besides that uses the modules as libraries.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "g++, cmake, libbox2d-dev, nlohmann-json3-dev, libeigen3-dev, libsvm-dev, libagg-dev, libpng-dev, libgif-dev, libsqlite3-dev, ffmpeg")
set(CPACK_STRIP_FILES ON)
include(CPack)
