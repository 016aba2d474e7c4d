#include "surprise/evaluation.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "core/error.hpp"
#include "difficulty/difficulty.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "surprise/prediction_file.hpp"
#include "surprise/predictor.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;

namespace {

namespace fs = std::filesystem;
using Scratch = startle::testing::Folder;

/// A level of the family with a stored tier.
EvaluationLevel level_of(const std::string& family, std::uint64_t index, const std::string& novelty,
                         Tier tier) {
  EvaluationLevel result;
  result.level = {generate_level(find_generator(family), 11, index, profile()), {}};
  result.level.name = novelty + "-" + result.level.name;
  result.level.difficulty = stored_p_level(novelty, made_for(tier).min);
  result.novelty = &find_novelty(novelty);
  result.tier = tier;
  return result;
}

/// Few small levels: pigs' gravity (T1) and, hard to see, stone life (T3).
const std::vector<EvaluationLevel>& few_levels() {
  static const std::vector<EvaluationLevel> levels{level_of("towers", 0, "T1", Tier::easy),
                                                   level_of("rows", 1, "T1", Tier::medium),
                                                   level_of("castles", 2, "T3", Tier::hard)};
  return levels;
}

std::string bytes(const Clip& clip) { return {clip.rgb.begin(), clip.rgb.end()}; }

/// Knows what a clip of the normal world looks like, and is off by `normal_error` in every value of such a
/// clip and by `novel_error` in those of any other. Clips are given by their bytes.
class Oracle : public Predictor {
 public:
  Oracle(std::set<std::string> normal, float normal_error, float novel_error)
      : normal_(std::move(normal)), normal_error_(normal_error), novel_error_(novel_error) {}
  std::string name() const override { return "oracle"; }
  std::vector<Prediction> predict(const std::vector<const Clip*>& clips) override {
    std::vector<Prediction> predictions;
    for (const Clip* clip : clips) {
      const float error = normal_.contains(bytes(*clip)) ? normal_error_ : novel_error_;
      Prediction prediction;
      for (std::size_t i = clip->frame_size(); i < clip->rgb.size(); ++i) {
        const float x = clip->rgb[i] / 255.0F;
        prediction.frames.push_back(x < 0.5F ? x + error : x - error);
      }
      prediction.feature = {1.0F, error};
      predictions.push_back(std::move(prediction));
      ++predicted;
    }
    return predictions;
  }
  std::size_t predicted = 0;

 private:
  std::set<std::string> normal_;
  float normal_error_, novel_error_;
};

std::set<std::string> normal_clips(const std::vector<EvaluationLevel>& levels) {
  std::set<std::string> clips;
  for (const EvaluationLevel& level : levels) {
    const Scene normal = settle(make_scene(level.level, profile()));
    for (const ChosenShot& shot : choose_shots(level, normal, 1, 1))
      clips.insert(bytes(make_twin_clips(shot, *level.novelty, {}).normal.clip));
  }
  return clips;
}

}  // namespace

TEST_CASE(
    "[surprise] evaluation: an oracle is more surprised by every novel clip that differs, and by none that "
    "does not") {
  Oracle oracle(normal_clips(few_levels()), 0.1F, 0.2F);
  const Evaluation e = evaluate(few_levels(), {&oracle}, {}, {}, profile());
  REQUIRE(e.levels.size() == 3);
  REQUIRE(e.twins.size() >= 6);
  std::size_t differing = 0;
  for (const EvaluatedTwin& twin : e.twins) {
    const bool differs = std::any_of(twin.difference.begin(), twin.difference.end(),
                                     [](double d) { return d > 0; });
    differing += differs;
    REQUIRE(twin.predictors.size() == 1);
    const TwinErrors& errors = twin.predictors[0];
    // Every value is off by 0.1 or 0.2: 64 x 64 x 3 x 0.01 = 122.88 a frame, or four times as much.
    CHECK(errors.normal.errors.error.at(0) == Approx(122.88).epsilon(1e-4));
    CHECK(errors.novel.errors.error.at(0) == Approx(differs ? 491.52 : 122.88).epsilon(1e-4));
    CHECK(errors.normal.errors.error.size() == 14);
    CHECK(twin.difference.size() == 14);
    CHECK(errors.novel.feature == std::vector<float>{1.0F, differs ? 0.2F : 0.1F});
  }
  CHECK(differing > 0);
  CHECK(differing < e.twins.size());                      // else the case of equal twins is not tested
  CHECK(oracle.predicted == e.twins.size() + differing);  // equal twins are predicted once
}

TEST_CASE(
    "[surprise] evaluation: a file of scores, the pixels by which a clip differs from its twin, is an "
    "oracle") {
  const Scratch folder;
  std::map<std::uint64_t, double> scores;
  std::vector<Clip> clips;
  for (const EvaluationLevel& level : few_levels()) {
    const std::vector<Clip> of_level = clips_of_level(level, {}, profile());
    REQUIRE(of_level.size() % 2 == 0);
    for (std::size_t i = 0; i < of_level.size(); i += 2) {
      const Clip &normal = of_level[i], &novel = of_level[i + 1];
      double differing = 0;
      for (std::size_t k = 0; k < normal.rgb.size(); ++k) differing += normal.rgb[k] != novel.rgb[k];
      scores.emplace(clip_id(normal), 0);
      scores.emplace(clip_id(novel), differing);
    }
    clips.insert(clips.end(), of_level.begin(), of_level.end());
  }
  std::ofstream file(folder / "oracle.csv");
  file << "clip,score\n";
  for (const auto& [id, score] : scores) file << id << ',' << score << '\n';
  file.close();
  const auto oracle = load_scores(folder / "oracle.csv");
  const Evaluation e = evaluate(few_levels(), {oracle.get()}, {}, {}, profile());
  REQUIRE(2 * e.twins.size() == clips.size());
  CHECK(gives_one_number(e, 0));
  for (std::size_t i = 0; i < e.twins.size(); ++i) {
    const TwinErrors& found = e.twins[i].predictors[0];
    CHECK(*found.normal.whole == 0);
    CHECK((*found.novel.whole > 0) == (clips[2 * i].rgb != clips[2 * i + 1].rgb));
    // The change is the error of a copy of the last frame.
    const FrameErrors copied = make_copy_last()->errors({&clips[2 * i + 1]})[0];
    CHECK(e.twins[i].change.novel == Approx(clip_score(copied, ClipScore::sum)));
  }
}

TEST_CASE("[surprise] evaluation: the same for any number of threads") {
  const auto copy = make_copy_last();
  std::vector<Evaluation> runs;
  for (int threads : {1, 3})
    runs.push_back(evaluate(few_levels(), {copy.get()}, {}, {.threads = threads}, profile()));
  REQUIRE(runs[0].twins.size() == runs[1].twins.size());
  for (std::size_t i = 0; i < runs[0].twins.size(); ++i) {
    const EvaluatedTwin &a = runs[0].twins[i], &b = runs[1].twins[i];
    CHECK(a.level == b.level);
    CHECK(a.shot == b.shot);
    CHECK(a.difference == b.difference);
    CHECK(a.predictors[0].normal.errors.error == b.predictors[0].normal.errors.error);
    CHECK(a.predictors[0].novel.errors.error == b.predictors[0].novel.errors.error);
  }
}

TEST_CASE(
    "[surprise] evaluation: shots are those of best target, solution and random targets, and do not depend "
    "on the novelty") {
  const EvaluationLevel level = few_levels()[0];
  const Scene normal = settle(make_scene(level.level, profile()));
  const std::vector<ChosenShot> shots = choose_shots(level, normal, 2, 1);
  const auto of = [&](ShotKind kind) {
    return std::count_if(shots.begin(), shots.end(), [&](const ChosenShot& s) { return s.kind == kind; });
  };
  REQUIRE(of(ShotKind::best) == 1);
  CHECK(of(ShotKind::random) == 2);
  for (const EvaluationLevel& one : few_levels()) {  // of the whole difficulty, over all birds
    const Scene scene = settle(make_scene(one.level, profile()));
    const Difficulty d = compute_difficulty(scene, *one.novelty, {.method = Method::published});
    const Interaction& first = d.interactions.front();
    const std::vector<ChosenShot> chosen = choose_shots(one, scene, 100, 1);
    CHECK(chosen[0].kind == ShotKind::best);
    CHECK(chosen[0].shot == first.targets[*first.best].target.trajectories.front().shot);
    for (const TargetOutcome& target : first.targets)
      CHECK(std::any_of(chosen.begin(), chosen.end(), [&](const ChosenShot& s) {
        return s.bird == 0 && s.shot == target.target.trajectories.front().shot;
      }));
  }
  // All of the solution, one a bird, unless one was chosen before; run in order they clear the level.
  const std::vector<Shot>& solution = level.level.provenance->solution;
  REQUIRE(!solution.empty());
  for (std::size_t i = 0; i < solution.size(); ++i)
    CHECK(std::any_of(shots.begin(), shots.end(), [&](const ChosenShot& s) {
      return s.bird == static_cast<int>(i) && s.shot == solution[i];
    }));
  CHECK(run_shot(shots.back().scene, shots.back().shot).scene.cleared());
  // No shot twice from one state; the seed alone changes the random ones.
  for (std::size_t i = 0; i < shots.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      CHECK_FALSE((shots[i].bird == shots[j].bird && shots[i].shot == shots[j].shot));
  EvaluationLevel other = level;
  other.novelty = &find_novelty("T3");
  const std::vector<ChosenShot> same = choose_shots(other, normal, 2, 1);
  REQUIRE(same.size() == shots.size());
  for (std::size_t i = 0; i < shots.size(); ++i) CHECK(same[i].shot == shots[i].shot);
}

TEST_CASE("[surprise] evaluation: a twin's shot is found again") {
  const auto copy = make_copy_last();
  const Evaluation e = evaluate({few_levels()[0]}, {copy.get()}, {}, {}, profile());
  for (const EvaluatedTwin& twin : e.twins) {
    const TwinClips clips = make_twin_clips(shot_of(e, twin, profile()), *e.levels[twin.level].novelty,
                                            e.format);
    CHECK(frame_errors(clips.novel.clip, copy->predict({&clips.novel.clip}).front()).error ==
          twin.predictors[0].novel.errors.error);
  }
}

TEST_CASE("[surprise] evaluation: levels without a novel object are left out and named") {
  EvaluationLevel level = few_levels()[0];
  std::erase_if(level.level.objects, [](const LevelObject& o) { return o.material == Material::stone; });
  level.level.name = "no stone";
  level.novelty = &find_novelty("T3");
  const auto copy = make_copy_last();
  const Evaluation e = evaluate({level, few_levels()[0]}, {copy.get()}, {}, {}, profile());
  CHECK(e.without_novelty == std::vector<std::string>{"no stone"});
  REQUIRE(e.levels.size() == 1);
  CHECK(e.levels[0].level.name == few_levels()[0].level.name);
  for (const EvaluatedTwin& twin : e.twins) CHECK(twin.level == 0);
}

TEST_CASE("[surprise] evaluation: asked to stop it ends with whole levels") {
  const auto copy = make_copy_last();
  int asked = 0, done = 0;
  const Evaluation e = evaluate(
      few_levels(), {copy.get()}, {}, {.threads = 1}, profile(), [&] { ++done; },
      [&] { return ++asked <= 3; });
  CHECK(e.levels.size() == 2);  // asked once for the set, then before each level
  CHECK(done == 2);
  std::set<std::size_t> levels;
  for (const EvaluatedTwin& twin : e.twins) levels.insert(twin.level);
  CHECK(levels == std::set<std::size_t>{0, 1});
}

TEST_CASE("[surprise] evaluation: level sets are read by turns of novelty and tier") {
  const Scratch scratch;
  for (const char* novelty : {"T1", "T2"}) {
    for (Tier tier : {Tier::easy, Tier::hard}) {
      const fs::path folder = scratch.path / novelty / name(tier);
      fs::create_directories(folder);
      for (std::uint64_t i = 0; i < 2; ++i) {
        EvaluationLevel level = few_levels()[0];
        level.level.name = std::string(novelty) + "-" + name(tier) + "-" + std::to_string(i);
        level.level.difficulty = stored_p_level(novelty, made_for(tier).min);
        write_level(level.level, folder / (level.level.name + ".json"));
      }
    }
  }
  const auto names = [&](std::size_t limit) {
    std::vector<std::string> list;
    for (const EvaluationLevel& level : read_evaluation_levels(scratch.path, *profile(), limit))
      list.push_back(level.level.name);
    return list;
  };
  const std::vector<std::string> all{"T1-easy-0", "T1-hard-0", "T2-easy-0", "T2-hard-0",
                                     "T1-easy-1", "T1-hard-1", "T2-easy-1", "T2-hard-1"};
  CHECK(names(0) == all);
  CHECK(names(1) == std::vector<std::string>(all.begin(), all.begin() + 4));

  SECTION("a level without tier") {
    EvaluationLevel level = few_levels()[0];
    level.level.difficulty.emplace().novelty = "T1";  // of PID and BID
    write_level(level.level, scratch.path / "no-tier.json");
    CHECK_THROWS_WITH(names(0), Catch::Contains("no-tier.json") && Catch::Contains("found no tier"));
  }
  SECTION("two levels of one name") {
    fs::copy_file(scratch.path / "T1/easy/T1-easy-0.json", scratch.path / "copy.json");
    CHECK_THROWS_WITH(names(0), Catch::Contains("which another level has"));
  }
  SECTION("an empty folder") {
    const fs::path empty = scratch.path / "empty";
    fs::create_directories(empty);
    CHECK_THROWS_AS(read_evaluation_levels(empty, *profile()), Error);
  }
}
