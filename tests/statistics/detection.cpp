#include "statistics/detection.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[statistics] detection: the four things that can happen to a trial") {
  const auto outcome = [](std::vector<double> likelihoods, std::size_t normal) {
    return trial_outcome({.likelihoods = std::move(likelihoods), .normal = normal}, 0.5);
  };
  // At the first novel instance, at the third, and exactly on the threshold.
  CHECK((outcome({0, 0, .9}, 2).detected && outcome({0, 0, .9}, 2).delay == 0));
  CHECK((outcome({.1, .2, .3, .6, .1}, 1).detected && outcome({.1, .2, .3, .6, .1}, 1).delay == 2));
  CHECK(outcome({0, .5}, 1).detected);
  // Early: false positive, though there would have been an alarm later, too.
  CHECK(outcome({0, .7, .9}, 2).false_positive);
  CHECK(!outcome({0, .7, .9}, 2).detected);
  // Never: neither. (Taking the first of no alarms for instance 0 would make it a detection at once.)
  const TrialOutcome never = outcome({.1, .1, .4}, 1);
  CHECK((!never.detected && !never.false_positive));
  const TrialOutcome never_novel_first = outcome({.1, .1}, 0);
  CHECK((!never_novel_first.detected && !never_novel_first.false_positive));
  // No novelty: rightly silent, or a false positive.
  CHECK(!outcome({.1, .2}, 2).false_positive);
  CHECK(outcome({.1, .8}, 2).false_positive);
  CHECK_THROWS_AS(outcome({.1}, 2), Error);
  CHECK_THROWS_AS(outcome({std::nan("")}, 0), Error);
}

TEST_CASE("[statistics] detection: a higher threshold raises alarms later, and raises false alarms never") {
  Random random(12);
  std::vector<Trial> trials(200);
  for (Trial& trial : trials) {
    trial.likelihoods.resize(static_cast<std::size_t>(random.integer(1, 12)));
    for (double& v : trial.likelihoods) v = random.uniform();
    trial.normal = static_cast<std::size_t>(random.integer(0, static_cast<int>(trial.likelihoods.size())));
  }
  std::size_t before = trials.size();
  for (double threshold = 0; threshold <= 1; threshold += 0.05) {
    std::size_t false_positives = 0;
    for (const Trial& trial : trials) {
      const TrialOutcome outcome = trial_outcome(trial, threshold);
      CHECK(!(outcome.detected && outcome.false_positive));
      false_positives += outcome.false_positive;
    }
    CHECK(false_positives <= before);
    before = false_positives;
  }
}
