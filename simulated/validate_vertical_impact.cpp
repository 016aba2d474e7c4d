#include "simulated/validate_vertical_impact.hpp"

#include <algorithm>
#include <cmath>

#include "reasoning/qualitative/vertical_impact.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

constexpr double fallen_drop = 0.05;  ///< world units
constexpr double fallen_turn = 0.2;   ///< radians
constexpr double fallen_aside = 0.1;  ///< world units

}  // namespace

VerticalCounts& VerticalCounts::operator+=(const VerticalCounts& other) {
  taken_away += other.taken_away;
  all += other.all;
  unprompted += other.unprompted;
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t s = 0; s < 3; ++s) directions[p][s] += other.directions[p][s];
  return *this;
}

ByMethod<VerticalCounts> validate_vertical_impact(const Scene& normal) {
  ByMethod<VerticalCounts> counts;
  const SupportGraph graph = support_graph(normal);
  const ContactNetwork network = contact_network(normal, graph.geometry);
  Scene tough = normal;
  for (SceneObject& object : tough.objects) object.life = 1e9;
  const std::size_t n = normal.objects.size();
  for (std::size_t taken = 0; taken < n; ++taken) {
    if (!is_movable(normal.objects[taken])) continue;
    Scene without = tough;
    without.objects[taken].alive = false;
    World world(without, {.record_events = true});
    std::vector<int> moved_at(n, -1);
    for (int step = 1; !world.over(); ++step) {
      world.step();
      for (const BodyState& body : world.frame().bodies) {
        const auto i = static_cast<std::size_t>(body.id);
        const Pose& start = normal.objects[i].pose;
        if (moved_at[i] < 0 && (length(body.pose.position - start.position) > fallen_drop ||
                                std::fabs(body.pose.angle - start.angle) > fallen_turn))
          moved_at[i] = step;
      }
    }
    const Scene after = world.scene();
    ByMethod<std::vector<Fall>> falls;
    falls[Method::published] = vertical_impact(normal, graph, taken);
    falls[Method::extended] = unbraced_falls(normal, graph, network, {taken});
    for (Method method : validated_methods) ++counts[method].taken_away;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == taken || !is_movable(normal.objects[i])) continue;
      const SceneObject &before = normal.objects[i], &now = after.objects[i];
      const Vec2 way = transformed(now.shape->centroid, now.pose) -
                       transformed(before.shape->centroid, before.pose);
      const bool fell = !now.alive || -way.y > fallen_drop ||
                        std::fabs(now.pose.angle - before.pose.angle) > fallen_turn;
      const FallDirection seen = way.x < -fallen_aside  ? FallDirection::left
                                 : way.x > fallen_aside ? FallDirection::right
                                                        : FallDirection::down;
      const bool struck = std::any_of(
          world.trace().events.begin(), world.trace().events.end(), [&](const Event& e) {
            if (e.kind != EventKind::contact || e.step > moved_at[i] ||
                (e.a != static_cast<BodyId>(i) && e.b != static_cast<BodyId>(i)))
              return false;
            const BodyId other = e.a == static_cast<BodyId>(i) ? e.b : e.a;
            return other != ground_id && moved_at[static_cast<std::size_t>(other)] >= 0 &&
                   moved_at[static_cast<std::size_t>(other)] <= moved_at[i];
          });
      for (Method method : validated_methods) {
        const auto predicted = std::find_if(falls[method].begin(), falls[method].end(),
                                            [&](const Fall& f) { return f.object == i; });
        const bool said = predicted != falls[method].end();
        counts[method].all.add(said, fell);
        if (said || !fell || !struck) counts[method].unprompted.add(said, fell);
        if (said && fell)
          ++counts[method]
                .directions[static_cast<std::size_t>(predicted->direction)][static_cast<std::size_t>(seen)];
      }
    }
  }
  return counts;
}

}  // namespace startle
