#include "reasoning/qualitative/era.hpp"

#include <functional>
#include <set>
#include <vector>

#include "reasoning/qualitative/relations.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

struct Definition {
  Era relation;
  std::function<bool(Interval, Interval)> holds;
};

/// The 27 relations as the literature states them, one condition each.
const std::vector<Definition>& definitions() {
  using I = Interval;
  const auto of = [](auto f) { return std::function<bool(I, I)>(f); };
  const auto inverse = [](std::function<bool(I, I)> f) {
    return std::function<bool(I, I)>([f](I x, I y) { return f(y, x); });
  };
  const auto before = of([](I x, I y) { return x.end < y.start; });
  const auto meet = of([](I x, I y) { return x.end == y.start; });
  const auto mom = of([](I x, I y) {
    return x.start < y.start && x.centre() >= y.start && x.end >= y.centre() && x.end < y.end;
  });
  const auto mol = of([](I x, I y) {
    return x.start < y.start && x.centre() >= y.start && y.start < x.end && x.end < y.centre();
  });
  const auto lom = of([](I x, I y) {
    return x.start < y.start && x.centre() < y.start && x.end >= y.centre() && x.end < y.end;
  });
  const auto lol = of([](I x, I y) {
    return x.start < y.start && x.centre() < y.start && y.start < x.end && x.end < y.centre();
  });
  const auto ms = of([](I x, I y) { return x.start == y.start && y.centre() <= x.end && x.end < y.end; });
  const auto ls = of([](I x, I y) { return x.start == y.start && y.start < x.end && x.end < y.centre(); });
  const auto mf = of([](I x, I y) { return x.end == y.end && y.start < x.start && x.start <= y.centre(); });
  const auto lf = of([](I x, I y) { return x.end == y.end && y.centre() < x.start && x.start < y.end; });
  const auto ld = of([](I x, I y) { return x.start > y.start && x.end <= y.centre(); });
  const auto rd = of([](I x, I y) { return x.start >= y.centre() && x.end < y.end; });
  const auto cd = of([](I x, I y) {
    return y.start < x.start && x.start < y.centre() && y.centre() < x.end && x.end < y.end;
  });
  const auto eq = of([](I x, I y) { return x.start == y.start && x.end == y.end; });
  static const std::vector<Definition> all{{Era::before, before},
                                           {Era::after, inverse(before)},
                                           {Era::meet, meet},
                                           {Era::met_by, inverse(meet)},
                                           {Era::mom, mom},
                                           {Era::mol, mol},
                                           {Era::lom, lom},
                                           {Era::lol, lol},
                                           {Era::momi, inverse(mom)},
                                           {Era::moli, inverse(mol)},
                                           {Era::lomi, inverse(lom)},
                                           {Era::loli, inverse(lol)},
                                           {Era::ms, ms},
                                           {Era::msi, inverse(ms)},
                                           {Era::ls, ls},
                                           {Era::lsi, inverse(ls)},
                                           {Era::mf, mf},
                                           {Era::mfi, inverse(mf)},
                                           {Era::lf, lf},
                                           {Era::lfi, inverse(lf)},
                                           {Era::ld, ld},
                                           {Era::ldi, inverse(ld)},
                                           {Era::rd, rd},
                                           {Era::rdi, inverse(rd)},
                                           {Era::cd, cd},
                                           {Era::cdi, inverse(cd)},
                                           {Era::eq, eq}};
  return all;
}

template <typename F>
void for_all_interval_pairs(F f) {
  for (int a = 0; a < 10; ++a)
    for (int b = a + 1; b <= 10; ++b)
      for (int c = 0; c < 10; ++c)
        for (int d = c + 1; d <= 10; ++d) f(Interval{1.0 * a, 1.0 * b}, Interval{1.0 * c, 1.0 * d});
}

}  // namespace

TEST_CASE(
    "[qualitative] era: exactly one of 27 relations holds for every pair of integer intervals, and all "
    "occur") {
  std::set<Era> seen;
  for_all_interval_pairs([&](Interval x, Interval y) {
    int holding = 0;
    for (const Definition& d : definitions()) {
      if (!d.holds(x, y)) continue;
      ++holding;
      if (d.relation != era(x, y))
        FAIL(x.start << " " << x.end << " | " << y.start << " " << y.end << ": " << name(era(x, y)));
    }
    if (holding != 1)
      FAIL(holding << " relations hold for " << x.start << " " << x.end << " | " << y.start << " " << y.end);
    seen.insert(era(x, y));
  });
  CHECK(seen.size() == 27);
  std::set<std::string> names;
  for (Era r : seen) names.insert(name(r));
  CHECK(names.size() == 27);
}

TEST_CASE("[qualitative] era: swapping the intervals gives the inverse relation, named with an i") {
  for_all_interval_pairs([&](Interval x, Interval y) {
    const std::string there = name(era(x, y)), back = name(era(y, x));
    if (there == "eq")
      REQUIRE(back == "eq");
    else if (there == "b" || there == "a")
      REQUIRE(back == (there == "b" ? "a" : "b"));
    else if (there.back() == 'i')
      REQUIRE(there == back + "i");
    else
      REQUIRE(back == there + "i");
  });
}

TEST_CASE("[qualitative] era: ends within the tolerance count as equal, equality first") {
  CHECK(era({0.01, 1.02}, {0, 1}, 0.03) == Era::eq);
  CHECK(era({0.01, 0.4}, {0, 1}, 0.03) == Era::ls);
  CHECK(era({-1, 0.02}, {0, 1}, 0.03) == Era::meet);
  CHECK(era({-1, -0.02}, {0, 1}, 0.03) == Era::meet);
  CHECK(era({-1, -0.04}, {0, 1}, 0.03) == Era::before);
  CHECK(era({0.01, 1.02}, {0, 1}) == Era::momi);
}

TEST_CASE(
    "[qualitative] era: the supporter class says on which side of the object's centre the supporter "
    "reaches") {
  // [Zhang and Renz 2014] by the numeric equivalent; ld and rd that end exactly at the centre stay one-sided.
  for_all_interval_pairs([&](Interval supporter, Interval object) {
    const Era relation = era(supporter, object);
    const double c = object.centre();
    SupporterClass expected = SupporterClass::none;
    if (supporter.end > object.start && supporter.start < object.end) {
      expected = supporter.end < c     ? SupporterClass::left
                 : supporter.start > c ? SupporterClass::right
                                       : SupporterClass::centre;
      if (relation == Era::ld) expected = SupporterClass::left;
      if (relation == Era::rd) expected = SupporterClass::right;
    }
    REQUIRE(supporter_class(relation) == expected);
  });
}

TEST_CASE("[qualitative] relations: left-of compares xmax with xmin, and the others likewise") {
  const Bounds a{0, 2, 0, 2}, b{1, 3, 1, 3}, far{5, 6, 5, 6};
  CHECK(left_of(a, b));  // 2 > 1: b begins left of a's right side
  CHECK_FALSE(left_of(a, far));
  CHECK(left_of(far, a));
  CHECK(right_of(a, b));
  CHECK_FALSE(right_of(far, a));
  CHECK(top_of(a, b));
  CHECK_FALSE(top_of(far, a));
  CHECK(bottom_of(far, a));
  CHECK_FALSE(bottom_of(a, far));
  CHECK_FALSE(left_of({0, 1, 0, 1}, {1, 2, 0, 1}));  // strict
}

TEST_CASE("[qualitative] era: within the tolerance ends meet on either side, beyond it they lie apart") {
  for (double apart : {-0.02, 0.02}) {
    CHECK(era({0, 1}, {-1, apart}, 0.03) == Era::met_by);
    CHECK(era({-1, apart}, {0, 1}, 0.03) == Era::meet);
  }
  CHECK(era({0, 1}, {-1, -0.04}, 0.03) == Era::after);
  CHECK(era({0, 1}, {-1, 0.04}, 0.03) == Era::loli);
  CHECK(era({-1, 0.04}, {0, 1}, 0.03) == Era::lol);
  // The tolerance itself, 1/32, still counts.
  CHECK(era({-1, -0.03125}, {0, 1}, 0.03125) == Era::meet);
  CHECK(era({0, 1}, {-1, -0.03125}, 0.03125) == Era::met_by);
  CHECK(era({0.03125, 1}, {0, 1}, 0.03125) == Era::eq);
}

TEST_CASE("[qualitative] relations: what only touches stands in none of them") {
  const Bounds a{0, 1, 0, 1}, right{1, 2, 0, 1}, above{0, 1, 1, 2};
  CHECK_FALSE(left_of(a, right));
  CHECK_FALSE(right_of(right, a));
  CHECK_FALSE(bottom_of(a, above));
  CHECK_FALSE(top_of(above, a));
}
