#pragma once
// Levels and readers that the tests of rollouts share.
#include <hdf5.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/files.hpp"
#include "levels/level_json.hpp"
#include "rollouts/rollouts.hpp"
#include "sim/world.hpp"
#include "tests/sim/world_scenes.hpp"

namespace startle::test {

/// The episode of an agent that plays these shots.
inline RolloutTables episode_of(const Scene& start, const std::vector<Shot>& shots,
                                const RolloutRecording& recording = {}) {
  std::vector<TrialShot> flown;
  Scene scene = start;
  for (const Shot& shot : shots) {
    ShotResult result = run_shot(scene, shot, world_options(recording));
    flown.push_back({scene, {shot, 0.25, {}}, std::move(result.trace)});
    scene = std::move(result.scene);
  }
  return record_episode(start, flown, {.birds = static_cast<int>(shots.size())}, recording);
}

/// A column of an HDF5 file, as T.
template <typename T>
std::vector<T> column(const std::filesystem::path& path, const std::string& name, hid_t type) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t array = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(array);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(array);
  H5Fclose(file);
  return values;
}

/// Of a file of any size.
inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace startle::test
