#include "rollouts/tables.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "core/error.hpp"
#include "sim/kind.hpp"
#include "sim/trace.hpp"

namespace startle {

template <std::size_t size>
void put_text(ColumnText<size>& column, const std::string& text, const char* what) {
  if (text.size() > size)
    throw Error("rollouts: " + std::string(what) + " '" + text + "': found " + std::to_string(text.size()) +
                " bytes, allowed are " + std::to_string(size));
  column = {};
  std::copy(text.begin(), text.end(), column.bytes.begin());
}
template void put_text(ColumnText<16>&, const std::string&, const char*);
template void put_text(ColumnText<32>&, const std::string&, const char*);
template void put_text(ColumnText<64>&, const std::string&, const char*);
template void put_text(ColumnText<128>&, const std::string&, const char*);

namespace {

template <typename Value>
constexpr ColumnType type_of() {
  if constexpr (std::is_same_v<Value, std::uint8_t>) return ColumnType::uint8;
  if constexpr (std::is_same_v<Value, std::int16_t>) return ColumnType::int16;
  if constexpr (std::is_same_v<Value, std::int32_t>) return ColumnType::int32;
  if constexpr (std::is_same_v<Value, std::int64_t>) return ColumnType::int64;
  if constexpr (std::is_same_v<Value, std::uint64_t>) return ColumnType::uint64;
  if constexpr (std::is_same_v<Value, float>) return ColumnType::float32;
  if constexpr (std::is_same_v<Value, double>) return ColumnType::float64;
  return ColumnType::text;
}

/// A column of the member of that name.
#define STARTLE_COLUMN(row, member, ...)                                                                 \
  ColumnInfo {                                                                                           \
#member, type_of < decltype(row::member)>(), offsetof(row, member), sizeof(row::member), __VA_ARGS__ \
  }

template <typename Code>
std::vector<std::string> names_up_to(Code last) {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const std::string of_code = name(static_cast<Code>(i));
    names.push_back(of_code.empty() ? "none" : of_code);
  }
  return names;
}

std::vector<TableInfo> make_tables() {
  return {
      {"episodes",
       "one level played once by one agent in one world",
       sizeof(EpisodeRow),
       {STARTLE_COLUMN(EpisodeRow, level, "name of the level"),
        STARTLE_COLUMN(EpisodeRow, set, "name of the folder that holds its file"),
        STARTLE_COLUMN(EpisodeRow, level_hash, "of the level's data, 16 hexadecimal digits"),
        STARTLE_COLUMN(EpisodeRow, agent, "name of the agent"),
        STARTLE_COLUMN(EpisodeRow, status,
                       "how the agent ended: ok, timeout, crash, protocol_error or "
                       "invalid_action"),
        STARTLE_COLUMN(EpisodeRow, novelty, "that the level is played with; empty: none"),
        STARTLE_COLUMN(EpisodeRow, tier, "stored with the level for that novelty; empty: none"),
        STARTLE_COLUMN(EpisodeRow, novel, "1: the world has the novelty; 0: the normal world"),
        STARTLE_COLUMN(EpisodeRow, trial, "number of the repetition, from 0"),
        STARTLE_COLUMN(EpisodeRow, seed, "of the agent; the same in both worlds of a level"),
        STARTLE_COLUMN(EpisodeRow, birds, "of the level"),
        STARTLE_COLUMN(EpisodeRow, solved, "1: no pig is left"),
        STARTLE_COLUMN(EpisodeRow, score, "at the end, of a solved level with that of the unused birds"),
        STARTLE_COLUMN(EpisodeRow, slingshot_x, "centre of the slingshot, m"),
        STARTLE_COLUMN(EpisodeRow, slingshot_y, "centre of the slingshot, m"),
        STARTLE_COLUMN(EpisodeRow, ground_y, "top of the ground, m"),
        STARTLE_COLUMN(EpisodeRow, half_width, "the world reaches from minus this to this along x, m"),
        STARTLE_COLUMN(EpisodeRow, gravity_x, "acceleration of a body of gravity_scale 1, m/s^2"),
        STARTLE_COLUMN(EpisodeRow, gravity_y, "acceleration of a body of gravity_scale 1, m/s^2"),
        STARTLE_COLUMN(EpisodeRow, step_s, "length of a step, s"),
        STARTLE_COLUMN(EpisodeRow, view_x, "centre of the pictures, m; 0 without pictures"),
        STARTLE_COLUMN(EpisodeRow, view_y, "centre of the pictures, m; 0 without pictures"),
        STARTLE_COLUMN(EpisodeRow, view_width, "width of the pictures, m; 0 without pictures"),
        STARTLE_COLUMN(EpisodeRow, first_body, "row of the first body"),
        STARTLE_COLUMN(EpisodeRow, bodies, "number of bodies"),
        STARTLE_COLUMN(EpisodeRow, first_shot, "row of the first shot"),
        STARTLE_COLUMN(EpisodeRow, shots, "number of shots")}},
      {"bodies",
       "an object of the level, or a bird, a child of it or an egg",
       sizeof(BodyRow),
       {STARTLE_COLUMN(BodyRow, id,
                       "within the episode, from 0; objects come first, in the order of the level"),
        STARTLE_COLUMN(BodyRow, shot, "in which it appears, from 0; -1: an object of the level"),
        STARTLE_COLUMN(BodyRow, kind, "code", names_up_to(Kind::ground)),
        STARTLE_COLUMN(BodyRow, material, "code", names_up_to(Material::stone)),
        STARTLE_COLUMN(BodyRow, type, "appearance, for example RectFat"),
        STARTLE_COLUMN(BodyRow, fixed, "1: it never moves, and is in no state"),
        STARTLE_COLUMN(BodyRow, novel, "1: a novelty changed its parameters"),
        STARTLE_COLUMN(BodyRow, x, "at the start of the episode, m; of birds and eggs where they appear"),
        STARTLE_COLUMN(BodyRow, y, "at the start of the episode, m; of birds and eggs where they appear"),
        STARTLE_COLUMN(BodyRow, angle, "at the start of the episode, rad; 0 of birds and eggs"),
        STARTLE_COLUMN(BodyRow, width, "of its box when it is not turned, m"),
        STARTLE_COLUMN(BodyRow, height, "of its box when it is not turned, m"),
        STARTLE_COLUMN(BodyRow, mass, "kg; 0: fixed"),
        STARTLE_COLUMN(BodyRow, inertia, "about the centre of mass, kg m^2; 0: fixed"),
        STARTLE_COLUMN(BodyRow, centre_x, "centre of mass in the body's frame, m"),
        STARTLE_COLUMN(BodyRow, centre_y, "centre of mass in the body's frame, m"),
        STARTLE_COLUMN(BodyRow, friction, "coefficient; two bodies mix as the root of the product"),
        STARTLE_COLUMN(BodyRow, restitution, "coefficient; two bodies mix as the larger"),
        STARTLE_COLUMN(BodyRow, life, "hit points at the start"),
        STARTLE_COLUMN(BodyRow, defence, "hit points taken off every blow"),
        STARTLE_COLUMN(BodyRow, gravity_scale, "multiplies gravity"),
        STARTLE_COLUMN(BodyRow, linear_damping, "1/s, without the drag of a novel air"),
        STARTLE_COLUMN(BodyRow, angular_damping, "1/s")}},
      {"shots",
       "one bird launched, and what came of it",
       sizeof(ShotRow),
       {STARTLE_COLUMN(ShotRow, bird, "type of the bird"),
        STARTLE_COLUMN(ShotRow, angle, "elevation above +x, rad"),
        STARTLE_COLUMN(ShotRow, stretch, "pull as a share of the longest"),
        STARTLE_COLUMN(ShotRow, tap_time, "after the release, s; negative: never"),
        STARTLE_COLUMN(ShotRow, likelihood, "of a novelty, as the agent reported it after the shot"),
        STARTLE_COLUMN(ShotRow, steps, "length of the shot, steps"),
        STARTLE_COLUMN(ShotRow, end, "settled, cleared or time_limit"),
        STARTLE_COLUMN(ShotRow, score, "gained by the shot"), STARTLE_COLUMN(ShotRow, pigs_killed, "number"),
        STARTLE_COLUMN(ShotRow, blocks_destroyed, "number"),
        STARTLE_COLUMN(ShotRow, hash, "of all events and the final state, as startle simulate prints it"),
        STARTLE_COLUMN(ShotRow, first_frame, "row of the first frame"),
        STARTLE_COLUMN(ShotRow, frames, "number of frames"),
        STARTLE_COLUMN(ShotRow, first_event, "row of the first event"),
        STARTLE_COLUMN(ShotRow, events, "number of events")}},
      {"frames",
       "the world after a step",
       sizeof(FrameRow),
       {STARTLE_COLUMN(FrameRow, step, "steps since the release"),
        STARTLE_COLUMN(FrameRow, kinetic, "kinetic energy of all bodies, J"),
        STARTLE_COLUMN(FrameRow, potential,
                       "potential energy of all bodies in gravity, J; 0 on the ground below the slingshot"),
        STARTLE_COLUMN(FrameRow, first_state, "row of the first state"),
        STARTLE_COLUMN(FrameRow, states, "number of states"),
        STARTLE_COLUMN(FrameRow, first_contact, "row of the first contact"),
        STARTLE_COLUMN(FrameRow, contacts, "number of contacts"),
        STARTLE_COLUMN(FrameRow, first_support, "row of the first support edge"),
        STARTLE_COLUMN(FrameRow, supports, "number of support edges")}},
      {"states",
       "a body that can move, at a frame; a body that is gone has none",
       sizeof(StateRow),
       {STARTLE_COLUMN(StateRow, body, "id of the body"), STARTLE_COLUMN(StateRow, x, "of its origin, m"),
        STARTLE_COLUMN(StateRow, y, "of its origin, m"),
        STARTLE_COLUMN(StateRow, angle, "rad, counter-clockwise, whole turns counted"),
        STARTLE_COLUMN(StateRow, velocity_x, "of its centre of mass, m/s"),
        STARTLE_COLUMN(StateRow, velocity_y, "of its centre of mass, m/s"),
        STARTLE_COLUMN(StateRow, angular_velocity, "rad/s"),
        STARTLE_COLUMN(StateRow, life, "hit points left")}},
      {"contacts",
       "two bodies that pressed on each other in the steps since the frame before",
       sizeof(ContactRow),
       {STARTLE_COLUMN(ContactRow, a, "id of a body; -1: the ground or the slingshot"),
        STARTLE_COLUMN(ContactRow, b, "id of the other body"),
        STARTLE_COLUMN(ContactRow, impulse_x, "of a on b, N s; that of b on a is its opposite"),
        STARTLE_COLUMN(ContactRow, impulse_y, "of a on b, N s; that of b on a is its opposite"),
        STARTLE_COLUMN(ContactRow, normal, "sum of the sizes of the normal parts, N s"),
        STARTLE_COLUMN(ContactRow, x, "mean place, weighted by the normal parts, m"),
        STARTLE_COLUMN(ContactRow, y, "mean place, weighted by the normal parts, m")}},
      {"supports",
       "a support edge: one object carries another at a frame",
       sizeof(SupportRow),
       {STARTLE_COLUMN(SupportRow, lower, "id of the object that carries; -1: the ground"),
        STARTLE_COLUMN(SupportRow, upper, "id of the object that is carried")}},
      {"events",
       "launches, taps, contacts that begin, damage, destruction and explosions",
       sizeof(EventRow),
       {STARTLE_COLUMN(EventRow, step, "steps since the release"),
        STARTLE_COLUMN(EventRow, kind, "code", names_up_to(EventKind::bird_gone)),
        STARTLE_COLUMN(EventRow, a, "id of the body it happened to; -1: the ground or the slingshot"),
        STARTLE_COLUMN(EventRow, b, "id of the other body; -1: none, the ground or the slingshot"),
        STARTLE_COLUMN(EventRow, value,
                       "launch and contact: speed, m/s; damage: hit points; destroyed: score; explosion: "
                       "radius, m; else 0"),
        STARTLE_COLUMN(EventRow, x, "place, m"), STARTLE_COLUMN(EventRow, y, "place, m")}}};
}

#undef STARTLE_COLUMN

template <typename Row>
void move_behind(std::vector<Row>& rows, std::vector<Row>&& more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

const std::vector<TableInfo>& rollout_tables() {
  static const std::vector<TableInfo> tables = make_tables();
  return tables;
}

void RolloutTables::append(RolloutTables&& more) {
  const auto count = [](const auto& rows) { return static_cast<std::int64_t>(rows.size()); };
  for (EpisodeRow& row : more.episodes) {
    row.first_body += count(bodies);
    row.first_shot += count(shots);
  }
  for (ShotRow& row : more.shots) {
    row.first_frame += count(frames);
    row.first_event += count(events);
  }
  for (FrameRow& row : more.frames) {
    row.first_state += count(states);
    row.first_contact += count(contacts);
    row.first_support += count(supports);
  }
  move_behind(episodes, std::move(more.episodes));
  move_behind(bodies, std::move(more.bodies));
  move_behind(shots, std::move(more.shots));
  move_behind(frames, std::move(more.frames));
  move_behind(states, std::move(more.states));
  move_behind(contacts, std::move(more.contacts));
  move_behind(supports, std::move(more.supports));
  move_behind(events, std::move(more.events));
  move_behind(pictures, std::move(more.pictures));
  move_behind(masks, std::move(more.masks));
}

void for_each_table(const RolloutTables& tables,
                    const std::function<void(const TableInfo&, const void*, std::size_t)>& visit) {
  const std::vector<TableInfo>& infos = rollout_tables();
  std::size_t next = 0;
  const auto pass = [&](const auto& rows) { visit(infos[next++], rows.data(), rows.size()); };
  pass(tables.episodes);
  pass(tables.bodies);
  pass(tables.shots);
  pass(tables.frames);
  pass(tables.states);
  pass(tables.contacts);
  pass(tables.supports);
  pass(tables.events);
}

}  // namespace startle
