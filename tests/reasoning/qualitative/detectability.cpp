#include "reasoning/qualitative/detectability.hpp"

#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

using Indices = std::vector<std::size_t>;

ImpactedObject moved(std::size_t object, std::initializer_list<std::size_t> cases) {
  ImpactedObject result{object, {}, "by hand"};
  for (std::size_t c : cases) result.cases.set(c);
  return result;
}

/// Two boxes, of which the second is novel in one parameter.
struct Pair {
  Scene normal = empty_scene(), novel;
  Pair(Parameter parameter, double factor) {
    add_box(normal, 0, 1, ground, ground + 1);
    add_box(normal, 2, 3, ground, ground + 1);
    normal.objects[1].parameters = {.density = 2,
                                    .friction = 0.5,
                                    .restitution = 0.1,
                                    .life = 10,
                                    .defence = 2,
                                    .gravity_scale = 0.5,
                                    .linear_damping = 0.1,
                                    .angular_damping = 0.2};
    novel = normal;
    value_of(novel.objects[1].parameters, parameter) *= factor;
    novel.objects[1].novel = true;
  }
  Indices shown(const std::vector<ImpactedObject>& list) const {
    return detectable_objects(normal, novel, list, list);
  }
};

std::vector<std::size_t> showing(Parameter parameter) {
  std::vector<std::size_t> cases;
  for (std::size_t c = 1; c <= 9; ++c)
    if (Pair(parameter, 2).shown({moved(1, {c})}) == Indices{1}) cases.push_back(c);
  return cases;
}

}  // namespace

TEST_CASE("[qualitative] detectability: each parameter is shown by the cases of its row") {
  using Row = std::vector<std::size_t>;
  CHECK(showing(Parameter::friction) == Row{3, 6, 7});
  CHECK(showing(Parameter::restitution) == Row{2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(showing(Parameter::gravity_scale) == Row{4, 5, 7, 9});
  CHECK(showing(Parameter::density) == Row{2, 3, 6, 7, 8, 9});
  CHECK(showing(Parameter::linear_damping) == Row{2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(showing(Parameter::angular_damping) == Row{2, 5, 8, 9});
  CHECK(showing(Parameter::life).empty());  // the same cases in both scenes show nothing of it
  CHECK(showing(Parameter::defence).empty());
}

TEST_CASE("[qualitative] detectability: only a novel object that is impacted shows anything") {
  const Pair pair(Parameter::friction, 2);
  CHECK(pair.shown({moved(0, {3, 6})}).empty());
  CHECK(pair.shown({moved(0, {1}), moved(1, {6})}) == Indices{1});
  CHECK(pair.shown({}).empty());
  Pair same(Parameter::friction, 1);  // marked novel, but nothing differs
  CHECK(same.shown({moved(1, {3, 6})}).empty());
}

TEST_CASE(
    "[qualitative] detectability: more life shows where the object would have been destroyed, less life "
    "where "
    "it newly is") {
  const std::vector<ImpactedObject> destroyed{moved(1, {1})}, slides{moved(1, {3, 6})};
  for (Parameter parameter : {Parameter::life, Parameter::defence}) {
    const Pair up(parameter, 5), down(parameter, 0.2);
    CHECK(detectable_objects(up.normal, up.novel, destroyed, slides) == Indices{1});
    CHECK(detectable_objects(up.normal, up.novel, destroyed, destroyed).empty());
    CHECK(detectable_objects(up.normal, up.novel, slides, slides).empty());
    CHECK(detectable_objects(down.normal, down.novel, slides, destroyed) == Indices{1});
    CHECK(detectable_objects(down.normal, down.novel, destroyed, destroyed).empty());
    CHECK(detectable_objects(down.normal, down.novel, destroyed, slides).empty());
  }
}

TEST_CASE(
    "[qualitative] detectability: stone life x5 is shown by a stone block that one blow would have broken") {
  Scene normal = empty_scene();
  const auto stone = stand(normal, Kind::block, "RectTiny", Material::stone, 0, ground);  // life 60, defence
                                                                                          // 15
  const BirdType& bird = normal.profile->bird("BirdBlack");                               // x 2.5 on stone
  Scene novel = normal;
  apply(find_novelty("T3"), novel);
  REQUIRE(novel.objects[stone].novel);
  const SupportGraph graph = support_graph(normal);
  const auto before = impacted_objects(normal, graph, stone, bird),
             after = impacted_objects(novel, graph, stone, bird);
  REQUIRE(before.front().cases[movement::hit_and_destroyed]);
  CHECK_FALSE(after.front().cases[movement::hit_and_destroyed]);
  CHECK(detectable_objects(normal, novel, before, after) == Indices{stone});
}

TEST_CASE("[qualitative] detectability: impacts are the same unless density, life or defence differ") {
  Scene scene = empty_scene();
  add_box(scene, 0, 1, ground, ground + 1);
  add_box(scene, 2, 3, ground, ground + 1);
  const auto same_with = [&](auto change) {
    Scene other = scene;
    change(other.objects[1]);
    return same_impacts(scene, other);
  };
  CHECK(same_with([](SceneObject&) {}));
  CHECK(same_with([](SceneObject& o) { o.parameters.friction *= 2; }));
  CHECK_FALSE(same_with([](SceneObject& o) { o.parameters.density *= 2; }));
  CHECK_FALSE(same_with([](SceneObject& o) { o.life *= 2; }));
  CHECK_FALSE(same_with([](SceneObject& o) { o.parameters.defence += 1; }));
}
