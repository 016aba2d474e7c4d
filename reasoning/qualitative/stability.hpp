#pragma once
/// \file  Local stability (Zhang and Renz 2014) and global qualitative stability (Stephenson and Renz, sketch
/// paper, Algorithm 1).
#include <vector>

#include "reasoning/qualitative/support.hpp"
#include "sim/scene.hpp"

namespace startle {

/// Per object: it has a centre supporter, or a left and a right one, themselves stable; static objects are
/// stable. Worked out from the ground upward. Dead objects are false. Neither necessary nor sufficient for a
/// structure: counterweights and towers that lean step by step are misclassified, see globally_unstable().
std::vector<bool> locally_stable(const Scene& scene, const SupportGraph& graph);

enum class Tip { none, left, right, unsupported };
const char* name(Tip tip);

/// Per object b: whether the substructure on it tips about an end of its support area, and to which side.
/// 1. Z = {b}.
/// 2. X = b, all below it and all above it.
/// 3. Z gains each object above b whose supporters are all in X.
/// 4. b is fine when the mass centre of Z lies over the support area of b, the interval from the left-most to
///    the right-most contact with its direct supporters.
/// 5. Otherwise P is the end of that area nearest to the mass centre.
/// 6. Z gains each other object above b that reaches over the safe side of P (a counterweight).
/// 7. b tips when the mass centre still lies outside the support area of Z: its contacts with direct
///    supporters outside Z.
///
/// Static objects and dead ones are none. An object without supporters is unsupported.
std::vector<Tip> globally_unstable(const Scene& scene, const SupportGraph& graph);

/// No object fails the local or the global test.
bool stable(const Scene& scene);

}  // namespace startle
