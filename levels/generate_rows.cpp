/// \file  Row structures after Stephenson and Renz, "Procedural generation of levels for Angry Birds style
/// physics
///        games", AIIDE 2016: built from the top down, each row of one block type.
#include <algorithm>

#include "levels/families.hpp"

namespace startle {

namespace {

struct Row {
  Brick brick;
  std::vector<double> xs;  ///< ascending

  double left() const { return xs.front() - 0.5 * brick.width; }
  double right() const { return xs.back() + 0.5 * brick.width; }
};

struct Choice {
  const char* type;
  double rotation_deg;
  double weight;
};

// Probability table of the authors, tuned by them with an evolutionary run.
constexpr Choice brick_table[] = {
    {"SquareHole", 0, .1187}, {"RectFat", 0, .1114},    {"RectFat", 90, .0378},    {"SquareSmall", 0, .0502},
    {"SquareTiny", 0, .0667}, {"RectTiny", 0, .0711},   {"RectTiny", 90, .0741},   {"RectSmall", 0, .1172},
    {"RectSmall", 90, .0490}, {"RectMedium", 0, .1150}, {"RectMedium", 90, .0152}, {"RectBig", 0, .1508},
    {"RectBig", 90, .0228},
};

Brick draw_brick(Draft& draft) {
  std::vector<double> weights;
  for (const Choice& choice : brick_table) weights.push_back(choice.weight);
  const Choice& choice = brick_table[draft.random().weighted(weights)];
  return brick(draft.profile(), choice.type, choice.rotation_deg);
}

// Both-edges rule, the authors' default: some block of the lower row lies under either end of every upper
// block. The buffers are theirs: how far in from its edge a block may be held, and how close to a supporter's
// edge.
bool both_edges_supported(const Row& upper, const Row& lower) {
  constexpr double edge_buffer = 0.11, check_buffer = 0.05;
  const double inset = std::min(edge_buffer, 0.25 * upper.brick.width);
  const double reach = 0.5 * lower.brick.width - std::min(check_buffer, 0.2 * lower.brick.width);
  const auto held = [&](double x) {
    return std::any_of(lower.xs.begin(), lower.xs.end(),
                       [&](double l) { return l - reach <= x && x <= l + reach; });
  };
  return std::all_of(upper.xs.begin(), upper.xs.end(), [&](double x) {
    return held(x - 0.5 * upper.brick.width + inset) && held(x + 0.5 * upper.brick.width - inset);
  });
}

bool overlapping(const Row& row) {
  for (std::size_t i = 1; i < row.xs.size(); ++i)
    if (row.xs[i] - row.xs[i - 1] < row.brick.width + side_gap) return true;
  return false;
}

enum class Placement { centres, edges, both };

// Supporters for the blocks [first, last) of a row, which are treated alike. Neighbouring edges too close for
// a supporter each share one.
void support(const Row& upper, std::size_t first, std::size_t last, Placement placement, Row& lower) {
  const double half = 0.5 * upper.brick.width;
  const double inset = std::min(0.5 * lower.brick.width, half);
  std::vector<double> xs;
  for (std::size_t i = first; i < last; ++i) {
    const double x = upper.xs[i];
    if (placement != Placement::edges) xs.push_back(x);
    if (placement == Placement::centres) continue;
    const bool shares_left = i > first && upper.xs[i] - upper.xs[i - 1] <
                                              2 * half + lower.brick.width - 2 * inset + side_gap;
    if (shares_left)
      xs.back() = 0.5 * (upper.xs[i - 1] + x);  // replaces the right edge of the block before
    else
      xs.push_back(x - half + inset);
    if (placement == Placement::both && shares_left) xs.push_back(x);
    xs.push_back(x + half - inset);
  }
  lower.xs.insert(lower.xs.end(), xs.begin(), xs.end());
}

// A row that carries `upper`, or one without blocks when the drawn brick and placements give none.
Row draw_row_below(Draft& draft, const Row& upper) {
  Random& random = draft.random();
  Row lower{draw_brick(draft), {}};
  std::size_t first = 0;
  for (std::size_t i = 1; i <= upper.xs.size(); ++i) {
    if (i < upper.xs.size() && !random.chance(0.4)) continue;
    support(upper, first, i, static_cast<Placement>(random.integer(0, 2)), lower);
    first = i;
  }
  std::sort(lower.xs.begin(), lower.xs.end());
  if (overlapping(lower) || !both_edges_supported(upper, lower)) lower.xs.clear();
  return lower;
}

}  // namespace

void build_rows(Draft& draft, const Slot& slot) {
  Random& random = draft.random();
  std::vector<Row> best;
  for (int attempt = 0; attempt < 20 && best.size() < 4; ++attempt) {
    Row peaks{draw_brick(draft), {}};
    const int count = random.integer(1, 5);
    peaks.xs = row_of(count, 0, peaks.brick.width, random.uniform(0.1, 0.5));
    double height = peaks.brick.height + placement_gap;
    std::vector<Row> rows{peaks};
    if (peaks.right() - peaks.left() > slot.width || height > slot.height) continue;
    const auto enough = static_cast<std::size_t>(random.integer(4, 8));
    for (int tries = 0; tries < 60 && rows.size() < enough; ++tries) {
      Row row = draw_row_below(draft, rows.back());
      if (row.xs.empty() || row.right() - row.left() > slot.width) continue;
      if (height + row.brick.height + placement_gap > slot.height) break;
      height += row.brick.height + placement_gap;
      rows.push_back(std::move(row));
    }
    if (rows.size() > best.size()) best = std::move(rows);
  }
  double bottom = slot.base;
  for (std::size_t i = best.size(); i-- > 0;) {
    for (double& x : best[i].xs) x += slot.x;
    bottom = draft.put_row(best[i].brick, best[i].xs, bottom);
  }
}

void lay_out_rows(Draft& draft) {
  lay_out_row(
      draft,
      {.build = build_rows, .lowest = 2.5, .highest = 4.5, .fewest = 2, .most = 3, .most_ornaments = 2});
}

}  // namespace startle
