# Programs of WebAssembly that Node runs: emscripten and node-acorn. They read and write the machine's files,
# have one thread, and start no other programs.
# STARTLE_LIBRARIES: the folder that scripts/libraries has filled.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES STARTLE_LIBRARIES)
set(CMAKE_C_FLAGS_INIT -fwasm-exceptions)
set(CMAKE_CXX_FLAGS_INIT -fwasm-exceptions)
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-sNODERAWFS=1 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=8MB -sINITIAL_MEMORY=64MB")
list(APPEND CMAKE_FIND_ROOT_PATH ${STARTLE_LIBRARIES})
