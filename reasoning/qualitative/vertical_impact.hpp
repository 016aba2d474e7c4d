#pragma once
/// \file  Vertical impact: what may fall once an object is gone or moved [Pinto §4.2, fig. 5; Walega et al.
/// 2016].
///
/// This is a RECONSTRUCTION. The text of Walega, Zawidzki and Lechowski (2016) could not be had; known are
/// the abstract and what [Pinto §4.2] says: eight steps; at each, objects directly above and directly under
/// the ones in hand are looked at, substructures are built and compared with their centre of mass pc and
/// their left-most and right-most connection points pl and pr ("stable iff the vertical projection of pc lies
/// in the area of support"), and the fall list is updated. Our eight steps:
/// 1. Take the object away; it is the first of the objects in hand.
/// 2. Up: every object directly above one in hand has lost a supporter. It is in question.
/// 3. Down: every object under those and under the ones in hand, at any depth, bears another load than
///    before. It is in question too.
/// 4. An object in question that has no supporter left falls straight down.
/// 5. For any other, build its substructure: itself and all objects that rest on nothing but the
///    substructure. pl and pr are the ends of its contacts with the supporters that are left. It stays when
///    pl <= pc <= pr.
/// 6. Otherwise look for counterweights: objects that rest on the substructure beside other supporters, on
///    the safe side of the nearer of pl and pr. Each presses there with an equal share of the weight it
///    carries to its supporters. The object stays when pc with these is no longer beyond that end. (It may
///    lie beyond the other one: such an object has supporters of its own and presses no harder than it must.)
/// 7. Otherwise the substructure falls, to the side of pc; unless a part of it does so by itself, which then
///    falls off first and no longer weighs on the rest. An object that has lost no supporter and was tested
///    just so before anything was taken away is held by something that the support relation does not see,
///    and stays.
/// 8. What falls joins the fall list, supports nothing and weighs on nothing any more; it is the next in
///    hand. Repeat from 2 until the list does not grow.
///
/// Objects of one round are compared with the same state, so that the result does not depend on their order.
#include <span>
#include <vector>

#include "reasoning/qualitative/support.hpp"
#include "sim/scene.hpp"

namespace startle {

enum class FallDirection { down, left, right };
const char* name(FallDirection direction);

struct Fall {
  std::size_t object = 0;
  FallDirection direction = FallDirection::down;
  friend bool operator==(const Fall&, const Fall&) = default;
};

/// Vertical impact in one scene, asked for again and again without memory being taken each time.
class VerticalImpact {
 public:
  VerticalImpact(const Scene& scene, const SupportGraph& graph);
  /// Objects that may fall once all of these are gone at once, themselves not among them, in order of index.
  /// Static ones among them count as gone too. Valid until it is asked for again. Depends on poses and
  /// densities alone.
  const std::vector<Fall>& falls_without(std::span<const std::size_t> gone);
  /// The same for one object, gone or moved (Pinto et al.'s list names it too). Static objects never fall
  /// and, being fixed, make nothing fall: for them the list is empty.
  const std::vector<Fall>& falls_without(std::size_t object);

  const Scene& scene() const { return scene_; }
  const SupportGraph& graph() const { return graph_; }

 private:
  enum class Verdict : char { unknown, stays, down, left, right };
  /// Which objects are gone, and how many supporters each other one has left.
  struct Supporters {
    std::vector<char> gone;
    std::vector<int> left;
  };
  /// Mass and its moment about x = 0.
  struct Load {
    double mass = 0, moment = 0;
  };
  struct Tipping {
    std::size_t object;
    FallDirection direction;
    std::size_t first, last;  ///< its substructure, itself first: parts_[first] up to parts_[last]
  };
  void remove(std::size_t object);
  bool may_fall(std::size_t i) const;
  void find_questions();
  Load build_substructure(std::size_t b, const Supporters& state, std::vector<std::size_t>& members);
  Verdict verdict(std::size_t b, const Supporters& state);
  void detect(std::size_t b);
  void add_round();

  const Scene& scene_;
  const SupportGraph& graph_;
  std::size_t n_;
  Supporters now_, first_;  ///< as things are, and before anything was taken away
  std::vector<char> in_question_, inside_, tips_;
  std::vector<int> held_;             ///< scratch of build_substructure: supporters within it
  std::vector<std::size_t> members_;  ///< substructure that the last verdict was on
  std::vector<std::size_t> touched_, counterweight_, in_hand_, questions_, under_, parts_;
  std::vector<Tipping> tipping_;
  std::vector<Verdict> before_;
  std::vector<Fall> falls_;
};

std::vector<Fall> vertical_impact(const Scene& scene, const SupportGraph& graph, std::size_t object);
std::vector<Fall> vertical_impact(const Scene& scene, const SupportGraph& graph,
                                  const std::vector<std::size_t>& gone);

}  // namespace startle
