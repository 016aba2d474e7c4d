#pragma once
/// \file  What made the results of agents, as a hash: this module's sources and those of the modules that it
/// uses.

namespace startle {

/// 16 hexadecimal digits, from the sources' paths within the project and their contents
/// (cmake/SourcesHash.cmake). Builds of the same sources have the same, in any folder and by any compiler:
/// results do not depend on these (docs/determinism.md).
extern const char* const sources_hash;

}  // namespace startle
