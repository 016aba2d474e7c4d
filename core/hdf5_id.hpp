#pragma once
/// \file  An identifier of the HDF5 library, closed at the end. Does not include that library.
#include <cstdint>
#include <utility>

namespace startle {

/// What HDF5 opens or makes has an identifier (hid_t, which is std::int64_t) and a function that closes it.
/// One below 0 stands for a failure, and is not closed.
class Hdf5Id {
 public:
  using Close = int (*)(std::int64_t);  ///< returns a number below 0 where closing fails

  Hdf5Id() = default;
  Hdf5Id(std::int64_t id, Close close) : id_(id), close_(close) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Id() { reset(); }
  /// Closes it. False when that fails, which is where a full disk may show.
  bool reset() {
    const bool good = id_ < 0 || close_(id_) >= 0;
    id_ = -1;
    return good;
  }
  operator std::int64_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace startle
