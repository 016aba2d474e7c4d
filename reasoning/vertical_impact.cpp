#include "reasoning/vertical_impact.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace startle {

const char* name(FallDirection direction) {
  switch (direction) {
    case FallDirection::down: return "down";
    case FallDirection::left: return "left";
    case FallDirection::right: return "right";
  }
  return "";
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Which objects are gone, and how many supporters each other one has left.
struct State {
  std::vector<char> gone;
  std::vector<int> left;
};

/// Mass and its moment about x = 0.
struct Load {
  double mass = 0, moment = 0;
};

class VerticalImpact {
 public:
  VerticalImpact(const Scene& scene, const SupportGraph& graph)
      : scene_(scene), graph_(graph), n_(scene.objects.size()), in_question_(n_, 0), held_(n_, 0), before_(n_, Verdict::unknown) {
    now_.gone.assign(n_, 0);
    now_.left.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) now_.left[i] = static_cast<int>(graph.supporters[i].size());
    first_ = now_;
  }

  std::vector<Fall> run(std::vector<std::size_t> in_hand) {
    std::vector<Fall> falls;
    for (std::size_t object : in_hand) remove(object);
    while (!in_hand.empty()) {
      std::vector<Tipping> tipping;
      for (std::size_t b : find_questions(in_hand)) judge(b, tipping);
      const std::vector<Fall> round = fall_list(tipping);
      in_hand.clear();
      for (const Fall& fall : round) {
        remove(fall.object);
        in_hand.push_back(fall.object);
      }
      falls.insert(falls.end(), round.begin(), round.end());
    }
    std::sort(falls.begin(), falls.end(), [](const Fall& a, const Fall& b) { return a.object < b.object; });
    return falls;
  }

 private:
  enum class Verdict : char { unknown, stays, down, left, right };

  struct Tipping {
    std::size_t object;
    FallDirection direction;
    std::vector<std::size_t> members;  ///< its substructure, itself first
  };

  void remove(std::size_t object) {
    now_.gone[object] = 1;
    for (std::size_t e : graph_.supportees[object]) --now_.left[graph_.edges[e].upper];
  }

  bool may_fall(std::size_t i) const { return !now_.gone[i] && !scene_.objects[i].is_static(); }

  /// Steps 2 and 3.
  std::vector<std::size_t> find_questions(const std::vector<std::size_t>& in_hand) {
    std::vector<std::size_t> questions, under = in_hand;
    std::fill(in_question_.begin(), in_question_.end(), 0);
    const auto ask = [&](std::size_t i) {
      if (in_question_[i] || !may_fall(i)) return;
      in_question_[i] = 1;
      questions.push_back(i);
      under.push_back(i);
    };
    for (std::size_t i : in_hand)
      for (std::size_t e : graph_.supportees[i]) ask(graph_.edges[e].upper);
    while (!under.empty()) {
      const std::size_t i = under.back();
      under.pop_back();
      for (std::size_t e : graph_.supporters[i])
        if (graph_.edges[e].lower != ground_index) ask(graph_.edges[e].lower);
    }
    return questions;
  }

  /// b and all that rests on nothing but the substructure, in members_.
  Load build_substructure(std::size_t b, const State& state) {
    Load load;
    members_.assign(1, b);
    touched_.clear();
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const std::size_t m = members_[k];
      const double mass = scene_.objects[m].mass();
      load.mass += mass;
      load.moment += mass * graph_.geometry.shapes[m].centroid.x;
      for (std::size_t e : graph_.supportees[m]) {
        const std::size_t s = graph_.edges[e].upper;
        if (state.gone[s] || s == b) continue;
        if (held_[s]++ == 0) touched_.push_back(s);
        if (held_[s] == state.left[s]) members_.push_back(s);
      }
    }
    for (std::size_t s : touched_) held_[s] = 0;
    return load;
  }

  /// Steps 4 to 6 for one object; members_ is its substructure afterwards.
  Verdict verdict(std::size_t b, const State& state) {
    if (state.left[b] == 0) {
      members_.assign(1, b);
      return Verdict::down;
    }
    double pl = infinity, pr = -infinity;
    for (std::size_t e : graph_.supporters[b]) {
      const Support& s = graph_.edges[e];
      if (s.lower != ground_index && state.gone[s.lower]) continue;
      pl = std::min(pl, s.contact.start);
      pr = std::max(pr, s.contact.end);
    }
    pl -= balance_tolerance;
    pr += balance_tolerance;
    Load load = build_substructure(b, state);
    const double pc = load.moment / load.mass;
    if (pl <= pc && pc <= pr) return Verdict::stays;

    const bool to_right = pc > pr;
    const std::vector<std::size_t> members = members_;
    std::vector<char> inside(n_, 0);
    for (std::size_t m : members) inside[m] = 1;
    for (std::size_t m : members) {
      for (std::size_t e : graph_.supportees[m]) {
        const Support& s = graph_.edges[e];
        if (state.gone[s.upper] || inside[s.upper]) continue;
        const double x = s.contact.centre();
        if (to_right ? x >= pr : x <= pl) continue;
        const double share = build_substructure(s.upper, state).mass / state.left[s.upper];
        load.mass += share;
        load.moment += share * x;
      }
    }
    members_ = members;
    const double balanced = load.moment / load.mass;
    if (to_right) return balanced <= pr ? Verdict::stays : Verdict::right;
    return balanced >= pl ? Verdict::stays : Verdict::left;
  }

  /// Steps 4 to 7 for one object.
  void judge(std::size_t b, std::vector<Tipping>& tipping) {
    if (graph_.supporters[b].empty()) return;  // floats: what hangs in the air at the start is not our doing
    const Verdict now = verdict(b, now_);
    if (now == Verdict::stays) return;
    std::vector<std::size_t> members = members_;
    if (now_.left[b] == first_.left[b]) {
      if (before_[b] == Verdict::unknown) before_[b] = verdict(b, first_);
      if (before_[b] == now) return;
    }
    const FallDirection direction =
        now == Verdict::down ? FallDirection::down : now == Verdict::left ? FallDirection::left : FallDirection::right;
    tipping.push_back({b, direction, std::move(members)});
  }

  /// What falls this round: the substructures on which nothing tips by itself.
  std::vector<Fall> fall_list(const std::vector<Tipping>& tipping) {
    std::vector<char> tips(n_, 0);
    for (const Tipping& t : tipping) tips[t.object] = 1;
    std::vector<Fall> round;
    for (const Tipping& t : tipping) {
      if (std::any_of(t.members.begin() + 1, t.members.end(), [&](std::size_t m) { return tips[m]; })) continue;
      for (std::size_t m : t.members) round.push_back({m, t.direction});
    }
    return round;
  }

  const Scene& scene_;
  const SupportGraph& graph_;
  std::size_t n_;
  State now_, first_;                   ///< as things are, and before anything was taken away
  std::vector<char> in_question_;
  std::vector<int> held_;               ///< scratch of build_substructure: supporters within it
  std::vector<std::size_t> members_, touched_;
  std::vector<Verdict> before_;
};

}  // namespace

std::vector<Fall> vertical_impact(const Scene& scene, const SupportGraph& graph, std::size_t object) {
  if (scene.objects[object].is_static()) return {};
  if (graph.supporters[object].empty() && graph.supportees[object].empty()) return {};
  return VerticalImpact(scene, graph).run({object});
}

std::vector<Fall> vertical_impact(const Scene& scene, const SupportGraph& graph, const std::vector<std::size_t>& gone) {
  return VerticalImpact(scene, graph).run(gone);
}

}  // namespace startle
