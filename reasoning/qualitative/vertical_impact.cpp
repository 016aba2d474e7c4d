#include "reasoning/qualitative/vertical_impact.hpp"

#include <algorithm>

#include "core/math.hpp"

namespace startle {

const char* name(FallDirection direction) {
  switch (direction) {
    case FallDirection::down:
      return "down";
    case FallDirection::left:
      return "left";
    case FallDirection::right:
      return "right";
  }
  return "";
}

VerticalImpact::VerticalImpact(const Scene& scene, const SupportGraph& graph)
    : scene_(scene),
      graph_(graph),
      n_(scene.objects.size()),
      in_question_(n_, 0),
      inside_(n_, 0),
      tips_(n_, 0),
      held_(n_, 0),
      before_(n_, Verdict::unknown) {
  first_.gone.assign(n_, 0);
  first_.left.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) first_.left[i] = static_cast<int>(graph.supporters[i].size());
}

const std::vector<Fall>& VerticalImpact::falls_without(std::span<const std::size_t> gone) {
  falls_.clear();
  now_ = first_;
  in_hand_.assign(gone.begin(), gone.end());
  for (std::size_t object : in_hand_) remove(object);
  while (!in_hand_.empty()) {
    find_questions();
    tipping_.clear();
    parts_.clear();
    for (std::size_t b : questions_) detect(b);
    add_round();
  }
  std::sort(falls_.begin(), falls_.end(), [](const Fall& a, const Fall& b) { return a.object < b.object; });
  return falls_;
}

const std::vector<Fall>& VerticalImpact::falls_without(std::size_t object) {
  const bool carries = !graph_.supporters[object].empty() || !graph_.supportees[object].empty();
  return falls_without(carries && !scene_.objects[object].is_static()
                           ? std::span<const std::size_t>{&object, 1}
                           : std::span<const std::size_t>{});
}

void VerticalImpact::remove(std::size_t object) {
  now_.gone[object] = 1;
  for (std::size_t e : graph_.supportees[object]) --now_.left[graph_.edges[e].upper];
}

bool VerticalImpact::may_fall(std::size_t i) const { return !now_.gone[i] && !scene_.objects[i].is_static(); }

/// Steps 2 and 3.
void VerticalImpact::find_questions() {
  questions_.clear();
  under_ = in_hand_;
  const auto ask = [&](std::size_t i) {
    if (in_question_[i] || !may_fall(i)) return;
    in_question_[i] = 1;
    questions_.push_back(i);
    under_.push_back(i);
  };
  for (std::size_t i : in_hand_)
    for (std::size_t e : graph_.supportees[i]) ask(graph_.edges[e].upper);
  while (!under_.empty()) {
    const std::size_t i = under_.back();
    under_.pop_back();
    for (std::size_t e : graph_.supporters[i])
      if (graph_.edges[e].lower != ground_index) ask(graph_.edges[e].lower);
  }
  for (std::size_t i : questions_) in_question_[i] = 0;
}

/// b and all that rests on nothing but the substructure.
VerticalImpact::Load VerticalImpact::build_substructure(std::size_t b, const Supporters& state,
                                                        std::vector<std::size_t>& members) {
  Load load;
  members.assign(1, b);
  touched_.clear();
  for (std::size_t k = 0; k < members.size(); ++k) {
    const std::size_t m = members[k];
    const double mass = scene_.objects[m].mass();
    load.mass += mass;
    load.moment += mass * graph_.geometry.shapes[m].centroid.x;
    for (std::size_t e : graph_.supportees[m]) {
      const std::size_t s = graph_.edges[e].upper;
      if (state.gone[s] || s == b) continue;
      if (held_[s]++ == 0) touched_.push_back(s);
      if (held_[s] == state.left[s]) members.push_back(s);
    }
  }
  for (std::size_t s : touched_) held_[s] = 0;
  return load;
}

/// Steps 4 to 6 for one object; members_ is its substructure afterwards.
VerticalImpact::Verdict VerticalImpact::verdict(std::size_t b, const Supporters& state) {
  if (state.left[b] == 0) {
    members_.assign(1, b);
    return Verdict::down;
  }
  double pl = math::infinity, pr = -math::infinity;
  for (std::size_t e : graph_.supporters[b]) {
    const Support& s = graph_.edges[e];
    if (s.lower != ground_index && state.gone[s.lower]) continue;
    pl = std::min(pl, s.contact.start);
    pr = std::max(pr, s.contact.end);
  }
  pl -= balance_tolerance;
  pr += balance_tolerance;
  Load load = build_substructure(b, state, members_);
  const double pc = load.moment / load.mass;
  if (pl <= pc && pc <= pr) return Verdict::stays;

  const bool to_right = pc > pr;
  for (std::size_t m : members_) inside_[m] = 1;
  for (std::size_t m : members_) {
    for (std::size_t e : graph_.supportees[m]) {
      const Support& s = graph_.edges[e];
      if (state.gone[s.upper] || inside_[s.upper]) continue;
      const double x = s.contact.centre();
      if (to_right ? x >= pr : x <= pl) continue;
      const double share = build_substructure(s.upper, state, counterweight_).mass / state.left[s.upper];
      load.mass += share;
      load.moment += share * x;
    }
  }
  for (std::size_t m : members_) inside_[m] = 0;
  const double balanced = load.moment / load.mass;
  if (to_right) return balanced <= pr ? Verdict::stays : Verdict::right;
  return balanced >= pl ? Verdict::stays : Verdict::left;
}

/// Steps 4 to 7 for one object.
void VerticalImpact::detect(std::size_t b) {
  if (graph_.supporters[b].empty()) return;  // floats: what hangs in the air at the start is not our doing
  const Verdict now = verdict(b, now_);
  if (now == Verdict::stays) return;
  const std::size_t first = parts_.size();
  parts_.insert(parts_.end(), members_.begin(), members_.end());
  if (now_.left[b] == first_.left[b]) {
    if (before_[b] == Verdict::unknown) before_[b] = verdict(b, first_);
    if (before_[b] == now) {
      parts_.resize(first);
      return;
    }
  }
  const FallDirection direction = now == Verdict::down   ? FallDirection::down
                                  : now == Verdict::left ? FallDirection::left
                                                         : FallDirection::right;
  tipping_.push_back({b, direction, first, parts_.size()});
}

/// What falls this round: the substructures on which nothing tips by itself. They are taken away and are the
/// next in hand.
void VerticalImpact::add_round() {
  in_hand_.clear();
  for (const Tipping& t : tipping_) tips_[t.object] = 1;
  for (const Tipping& t : tipping_) {
    const auto first = parts_.begin() + static_cast<std::ptrdiff_t>(t.first),
               last = parts_.begin() + static_cast<std::ptrdiff_t>(t.last);
    if (std::any_of(first + 1, last, [&](std::size_t m) { return tips_[m]; })) continue;
    for (auto m = first; m != last; ++m) {
      falls_.push_back({*m, t.direction});
      in_hand_.push_back(*m);
    }
  }
  for (const Tipping& t : tipping_) tips_[t.object] = 0;
  for (std::size_t i : in_hand_) remove(i);
}

std::vector<Fall> vertical_impact(const Scene& scene, const SupportGraph& graph, std::size_t object) {
  return VerticalImpact(scene, graph).falls_without(object);
}

std::vector<Fall> vertical_impact(const Scene& scene, const SupportGraph& graph,
                                  const std::vector<std::size_t>& gone) {
  return VerticalImpact(scene, graph).falls_without(gone);
}

}  // namespace startle
