#include "levels/balance.hpp"

namespace startle {

std::size_t object_third(std::size_t objects) {
  return static_cast<std::size_t>(std::count_if(std::begin(object_thirds), std::end(object_thirds),
                                                [&](std::size_t from) { return objects >= from; }));
}

}  // namespace startle
