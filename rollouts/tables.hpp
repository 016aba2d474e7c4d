#pragma once
/// \file  What a rollout holds, as tables of plain columns: the one place that says which there are.
///
/// Rows of one table stand one after the other, and a row that has others below it names them by the number
/// of the first and their count: frame f has the states frames.first_state[f] to first_state[f] + states[f].
/// Files (shard_file.hpp), descriptions (croissant.hpp) and the Python package read the same columns.
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace startle {

/// A text of at most so many bytes, with zeros behind it.
template <std::size_t Size>
struct ColumnText {
  std::array<char, Size> bytes{};

  std::string text() const {
    std::size_t length = 0;
    while (length < Size && bytes[length] != '\0') ++length;
    return {bytes.data(), length};
  }
};
/// The text as a column holds it. Throws Error, naming `what`, for a text that is too long.
template <std::size_t Size>
void put_text(ColumnText<Size>& column, const std::string& text, const char* what);

/// One level played once by one agent in one world.
struct EpisodeRow {
  ColumnText<128> level, set, agent;
  ColumnText<16> level_hash, status, tier;
  ColumnText<64> novelty;
  std::uint8_t novel = 0, solved = 0;
  std::int32_t trial = 0, birds = 0;
  std::uint64_t seed = 0;
  double score = 0;
  double slingshot_x = 0, slingshot_y = 0, ground_y = 0, half_width = 0;
  double gravity_x = 0, gravity_y = 0, step_s = 0;
  double view_x = 0, view_y = 0, view_width = 0;
  std::int64_t first_body = 0, bodies = 0, first_shot = 0, shots = 0;
};

/// Something of an episode: an object of the level, or a bird, a child of it or an egg.
struct BodyRow {
  std::int16_t id = 0, shot = -1;
  std::uint8_t kind = 0, material = 0, fixed = 0, novel = 0;
  ColumnText<32> type;
  double x = 0, y = 0, angle = 0;
  double width = 0, height = 0;
  double mass = 0, inertia = 0, centre_x = 0, centre_y = 0;
  double friction = 0, restitution = 0, life = 0, defence = 0;
  double gravity_scale = 1, linear_damping = 0, angular_damping = 0;
};

struct ShotRow {
  ColumnText<32> bird;
  ColumnText<16> end;
  double angle = 0, stretch = 0, tap_time = 0, likelihood = 0, score = 0;
  std::int32_t steps = 0, pigs_killed = 0, blocks_destroyed = 0;
  std::uint64_t hash = 0;
  std::int64_t first_frame = 0, frames = 0, first_event = 0, events = 0;
};

struct FrameRow {
  std::int32_t step = 0;
  double kinetic = 0, potential = 0;
  std::int64_t first_state = 0, states = 0, first_contact = 0, contacts = 0, first_support = 0, supports = 0;
};

/// A body that can move, at a frame.
struct StateRow {
  std::int16_t body = 0;
  float x = 0, y = 0, angle = 0, velocity_x = 0, velocity_y = 0, angular_velocity = 0;
  double life = 0;
};

struct ContactRow {
  std::int16_t a = 0, b = 0;
  float impulse_x = 0, impulse_y = 0, normal = 0, x = 0, y = 0;
};

struct SupportRow {
  std::int16_t lower = 0, upper = 0;
};

struct EventRow {
  std::int32_t step = 0;
  std::uint8_t kind = 0;
  std::int16_t a = 0, b = 0;
  double value = 0, x = 0, y = 0;
};

/// Episodes one after the other.
struct RolloutTables {
  std::vector<EpisodeRow> episodes;
  std::vector<BodyRow> bodies;
  std::vector<ShotRow> shots;
  std::vector<FrameRow> frames;
  std::vector<StateRow> states;
  std::vector<ContactRow> contacts;
  std::vector<SupportRow> supports;
  std::vector<EventRow> events;
  /// Deflated, one a frame; empty where they were not asked for. 3 bytes and 2 bytes a pixel.
  std::vector<std::string> pictures, masks;

  /// Puts the rows of `more` behind these, with the numbers that they then have.
  void append(RolloutTables&& more);
};

enum class ColumnType { text, uint8, int16, int32, int64, uint64, float32, float64 };

struct ColumnInfo {
  std::string name;
  ColumnType type = ColumnType::float64;
  std::size_t offset = 0, size = 0;     ///< within a row, bytes
  std::string meaning;                  ///< with unit
  std::vector<std::string> names = {};  ///< what the numbers 0, 1 ... of a column of codes stand for
};
struct TableInfo {
  std::string name;
  std::string meaning;
  std::size_t row_size = 0;
  std::vector<ColumnInfo> columns;
};
/// In the order of files.
const std::vector<TableInfo>& rollout_tables();

/// Calls visit(table, first row, rows) for each table.
void for_each_table(const RolloutTables& tables,
                    const std::function<void(const TableInfo&, const void*, std::size_t)>& visit);

}  // namespace startle
