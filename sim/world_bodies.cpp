#include "sim/world_bodies.hpp"

#include <array>
#include <mutex>

#include "core/error.hpp"

namespace startle {
namespace {

/// b2PolygonShape::Set joins vertices nearer than half a slop and aborts when fewer than three are left, or
/// when the hull has no area. This is the same test, made before.
bool fits_engine(const Polygon& polygon) {
  constexpr float join = 0.5f * b2_linearSlop;
  // The engine's collision code needs a core it can distinguish from a line.
  constexpr float least_area = 1e-5f;
  std::array<b2Vec2, b2_maxPolygonVertices> kept;
  std::size_t n = 0;
  for (const Vec2& vertex : polygon) {
    const b2Vec2 v = to_box2d(vertex);
    bool unique = true;
    for (std::size_t i = 0; i < n; ++i)
      if (b2DistanceSquared(v, kept[i]) < join * join) unique = false;
    if (unique && n < kept.size()) kept[n++] = v;
  }
  float area = 0;
  for (std::size_t i = 1; i + 1 < n; ++i) area += 0.5f * b2Cross(kept[i] - kept[0], kept[i + 1] - kept[0]);
  return area > least_area;
}

}  // namespace

b2Filter collision_filter(uint16 group) {
  b2Filter filter;
  filter.categoryBits = group;
  if (group == group_bird) filter.maskBits = static_cast<uint16>(~(group_bird | group_egg | group_slingshot));
  if (group == group_egg) filter.maskBits = static_cast<uint16>(~(group_bird | group_slingshot));
  if (group == group_slingshot) filter.maskBits = static_cast<uint16>(~(group_bird | group_egg));
  return filter;
}

void set_motion(b2BodyDef& definition, const Parameters& parameters, double air_drag) {
  definition.gravityScale = static_cast<float>(parameters.gravity_scale);
  definition.linearDamping = static_cast<float>(parameters.linear_damping + air_drag);
  definition.angularDamping = static_cast<float>(parameters.angular_damping);
}

void add_fixtures(b2Body& body, const Shape& shape, const Parameters& parameters, double mass, uint16 group,
                  const std::string& what) {
  b2FixtureDef definition;
  definition.friction = static_cast<float>(parameters.friction);
  definition.restitution = static_cast<float>(parameters.restitution);
  definition.filter = collision_filter(group);
  definition.density = 0;

  double area = 0;
  b2MassData unit;
  const auto add = [&](const b2Shape& piece) {
    piece.ComputeMass(&unit, 1);
    area += unit.mass;
    definition.shape = &piece;
    body.CreateFixture(&definition);
  };
  for (const Polygon& part : shape.parts) {
    if (!fits_engine(part)) continue;
    std::array<b2Vec2, b2_maxPolygonVertices> vertices;
    for (std::size_t i = 0; i < part.size(); ++i) vertices[i] = to_box2d(part[i]);
    b2PolygonShape polygon;
    polygon.Set(vertices.data(), static_cast<int32>(part.size()));
    add(polygon);
  }
  for (const Disc& disc : shape.discs) {
    b2CircleShape circle;
    circle.m_p = to_box2d(disc.centre);
    circle.m_radius = static_cast<float>(disc.radius);
    add(circle);
  }
  if (!(area > 0)) throw Error(what + ": the shape is too thin to simulate");
  if (body.GetType() == b2_staticBody) return;
  // Cut pieces can differ from the outline by slivers, and novelties change the mass: weigh the whole.
  for (b2Fixture* fixture = body.GetFixtureList(); fixture; fixture = fixture->GetNext())
    fixture->SetDensity(static_cast<float>(mass / area));
  body.ResetMassData();
}

void initialise_box2d() {
  // b2Contact fills its table of constructors when the first contact is made, without a lock.
  static std::once_flag once;
  std::call_once(once, [] {
    b2World world(b2Vec2(0, 0));
    b2CircleShape circle;
    circle.m_radius = 1;
    b2BodyDef definition;
    definition.type = b2_dynamicBody;
    world.CreateBody(&definition)->CreateFixture(&circle, 1);
    world.CreateBody(&definition)->CreateFixture(&circle, 1);
    world.Step(0, 1, 1);
  });
}

}  // namespace startle
