#pragma once
/// \file  Lock, failures and shapes of HDF5, for the files that surprise/ reads and writes; includes HDF5.
/// Used inside surprise/ only.
#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "core/hdf5_id.hpp"

namespace startle {

/// HDF5 may be built without protection against threads: all calls are made under this lock. Its own messages
/// are kept off standard error.
class Hdf5Lock {
 public:
  Hdf5Lock() : lock_(mutex()) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::lock_guard<std::mutex> lock_;
};

/// What HDF5 says of its last failure: the innermost message, which holds the system's error.
inline std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* error, void* text) -> herr_t {
        if (n == 0 && error->desc) *static_cast<std::string*>(text) = error->desc;
        return 0;
      },
      &reason);
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason;
}

inline std::vector<hsize_t> array_shape(const Hdf5Id& array) {
  const Hdf5Id space(H5Dget_space(array), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(0, rank)));
  if (rank > 0) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

/// "4 x 15 x 64".
inline std::string shape_text(const std::vector<hsize_t>& shape) {
  std::string text;
  for (const hsize_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

}  // namespace startle
