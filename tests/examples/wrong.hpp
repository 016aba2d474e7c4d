#pragma once
/// \file  For tests/examples.py: an example that compiles, one that does not, and a formula, which is none.
///
/// \code
///   #include "sim/geometry.hpp"
///   // given: Vec2 a
///   nothing_of_this_name(a);
/// \endcode
/// \code
///   for (const int i : {1, 2}) std::cout << i;
/// \endcode
/// \code{.unparsed}
///   a = b c, of any b and c
/// \endcode
