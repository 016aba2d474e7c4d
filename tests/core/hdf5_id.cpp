#include "core/hdf5_id.hpp"

#include <vector>

#include "tests/catch.hpp"

using startle::Hdf5Id;

namespace {

std::vector<std::int64_t> closed;

int close_well(std::int64_t id) {
  closed.push_back(id);
  return 0;
}
int close_badly(std::int64_t) { return -1; }

}  // namespace

TEST_CASE("[core] an identifier of HDF5 is closed once, wherever it was moved") {
  closed.clear();
  {
    Hdf5Id first(4, close_well), second(5, close_well);
    Hdf5Id moved(std::move(first));
    CHECK(moved == 4);
    CHECK(!first.valid());
    moved = std::move(second);
    CHECK(moved == 5);
    CHECK(closed.empty());
    CHECK(moved.reset());
    CHECK(closed == std::vector<std::int64_t>{5});
    CHECK(moved.reset());  // there is none any more
  }
  CHECK(closed == std::vector<std::int64_t>{5, 4});
  const Hdf5Id failed(-1, close_well), none;
  CHECK(!failed.valid());
  CHECK(!none.valid());
  CHECK(!Hdf5Id(6, close_badly).reset());
}
