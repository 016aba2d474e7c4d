# Static programs for x86-64 with another C library, musl, and another C++ library, libc++: clang, musl-dev,
# libclang-rt-dev and emscripten (the sources of libc++: musl-cxx/CMakeLists.txt, built first).
# STARTLE_LIBRARIES: the folder they are installed in.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER clang)
set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_C_COMPILER_TARGET x86_64-linux-musl)
set(CMAKE_CXX_COMPILER_TARGET x86_64-linux-musl)
set(CMAKE_ASM_COMPILER_TARGET x86_64-linux-musl)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES STARTLE_LIBRARIES)
set(musl /usr/lib/x86_64-linux-musl)
set(headers "-nostdlibinc -isystem /usr/include/x86_64-linux-musl")
set(CMAKE_C_FLAGS_INIT "${headers}")
set(CMAKE_ASM_FLAGS_INIT "${headers}")
set(CMAKE_CXX_FLAGS_INIT
    "-nostdinc++ -isystem ${STARTLE_LIBRARIES}/include/c++/v1 ${headers} -D_LIBCPP_HAS_MUSL_LIBC")
# Threads have 128 KiB of stack in musl, unless the program says otherwise.
set(stack "-Wl,-z,stack-size=8388608")
execute_process(COMMAND clang --print-resource-dir OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE)
set(runtime ${resources}/lib/linux)
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-static -nostdlib ${stack} -Wl,--eh-frame-hdr ${musl}/crt1.o ${musl}/crti.o \
${runtime}/clang_rt.crtbegin-x86_64.o")
set(ends "-L${musl} -lc ${runtime}/libclang_rt.builtins-x86_64.a")
set(ends "${ends} ${runtime}/clang_rt.crtend-x86_64.o ${musl}/crtn.o")
set(CMAKE_C_STANDARD_LIBRARIES "${ends}")
set(CMAKE_CXX_STANDARD_LIBRARIES "${STARTLE_LIBRARIES}/lib/libc++.a ${ends}")
set(CMAKE_FIND_ROOT_PATH ${STARTLE_LIBRARIES})
foreach(kind INCLUDE LIBRARY PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
