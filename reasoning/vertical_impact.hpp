#pragma once
/// \file  Vertical impact: what may fall once an object is gone or moved [Pinto §4.2, fig. 5; Walega et al. 2016].
///
/// This is a RECONSTRUCTION. The text of Walega, Zawidzki and Lechowski (2016) could not be had; known are the abstract and what [Pinto
/// §4.2] says: eight steps; at each, objects directly above and directly under the ones in hand are looked at,
/// substructures are built and judged by their centre of mass pc and their left-most and right-most connection
/// points pl and pr ("stable iff the vertical projection of pc lies in the area of support"), and the fall list is
/// updated. Our eight steps:
///   1. Take the object away; it is the first of the objects in hand.
///   2. Up: every object directly above one in hand has lost a supporter. It is in question.
///   3. Down: every object under those and under the ones in hand, at any depth, bears another load than before. It is in question too.
///   4. An object in question that has no supporter left falls straight down.
///   5. For any other, build its substructure: itself and all objects that rest on nothing but the substructure.
///      pl and pr are the ends of its contacts with the supporters that are left. It stays when pl <= pc <= pr.
///   6. Otherwise look for counterweights: objects that rest on the substructure beside other supporters, on the safe side of
///      the nearer of pl and pr. Each presses there with an equal share of the weight it carries to its supporters.
///      The object stays when pc with these is no longer beyond that end. (It may lie beyond the other one: such an
///      object has supporters of its own and presses no harder than it must.)
///   7. Otherwise the substructure falls, to the side of pc; unless a part of it does so by itself, which then falls off
///      first and no longer weighs on the rest. An object that has lost no supporter and was judged just so before
///      anything was taken away is held by something that the support relation does not see, and stays.
///   8. What falls joins the fall list, supports nothing and weighs on nothing any more; it is the next in hand. Repeat
///      from 2 until the list does not grow.
/// Objects of one round are judged by the same state, so that the result does not depend on their order.
#include <vector>

#include "reasoning/support.hpp"
#include "sim/scene.hpp"

namespace startle {

enum class FallDirection { down, left, right };
const char* name(FallDirection direction);

struct Fall {
  std::size_t object = 0;
  FallDirection direction = FallDirection::down;
  friend bool operator==(const Fall&, const Fall&) = default;
};

/// Objects that may fall once `object` is gone or moved, itself not among them (the source's list names it too), in order
/// of index. Static objects never fall and, being fixed, make nothing fall: for them the list is empty.
/// Depends on poses and densities alone.
std::vector<Fall> vertical_impact(const Scene& scene, const SupportGraph& graph, std::size_t object);
/// The same for several objects gone at once; static ones among them count as gone too.
std::vector<Fall> vertical_impact(const Scene& scene, const SupportGraph& graph, const std::vector<std::size_t>& gone);

}  // namespace startle
