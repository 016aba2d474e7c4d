# The hash of sources that stands in results files: the same for a copy of the sources elsewhere and in the
# program, another when a file's content or place changes. SOURCE: the source tree. PROGRAM: startle. FOLDER:
# an empty folder to work in.
cmake_minimum_required(VERSION 3.25)
set(modules agents core detection difficulty levels reasoning render sim simulated statistics)
file(REMOVE_RECURSE ${FOLDER})
foreach(module IN LISTS modules)
  file(COPY ${SOURCE}/${module} DESTINATION ${FOLDER}/copy FILES_MATCHING REGEX "\\.(cpp|hpp|json)$" PATTERN
       levels/data EXCLUDE PATTERN levels/benchmark EXCLUDE)
endforeach()

function(hash_of root out)
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${root} "-D MODULES=${modules}" -P
                  ${SOURCE}/cmake/SourcesHash.cmake
                  OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()
function(expect what)
  if(NOT (${ARGN}))
    message(SEND_ERROR "not so: ${what}")
  endif()
endfunction()

hash_of(${SOURCE} here)
hash_of(${FOLDER}/copy copied)
expect("16 hexadecimal digits: ${here}" here MATCHES "^[0-9a-f]+$")
expect("a copy has the same: ${here}, ${copied}" here STREQUAL copied)

file(APPEND ${FOLDER}/copy/sim/profiles/anu.json " ")
hash_of(${FOLDER}/copy changed)
expect("a byte of a profile more gives another" NOT changed STREQUAL here)
file(COPY_FILE ${SOURCE}/sim/profiles/anu.json ${FOLDER}/copy/sim/profiles/anu.json)
file(APPEND ${FOLDER}/copy/detection/models/video.json " ")
hash_of(${FOLDER}/copy changed)
expect("a byte of a dynamics model more gives another" NOT changed STREQUAL here)
file(COPY_FILE ${SOURCE}/detection/models/video.json ${FOLDER}/copy/detection/models/video.json)
file(RENAME ${FOLDER}/copy/agents/scores.cpp ${FOLDER}/copy/agents/aibirds/scores.cpp)
hash_of(${FOLDER}/copy moved)
expect("a file elsewhere gives another" NOT moved STREQUAL here)

execute_process(COMMAND ${PROGRAM} agents run --agent random --levels ${SOURCE}/levels/benchmark/T1/easy
                --limit 1 --quiet --out ${FOLDER}/results.sqlite
                COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${FOLDER}/results.sqlite lines REGEX "startle [0-9.]+ ${here}")
expect("the results hold it" lines)
