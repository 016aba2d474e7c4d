#include "reasoning/qualitative/relations.hpp"

namespace startle {

bool left_of(const Bounds& oi, const Bounds& oj) { return oi.xmax > oj.xmin; }
bool right_of(const Bounds& oi, const Bounds& oj) { return oi.xmin < oj.xmax; }
bool top_of(const Bounds& oi, const Bounds& oj) { return oi.ymin < oj.ymax; }
bool bottom_of(const Bounds& oi, const Bounds& oj) { return oi.ymax > oj.ymin; }

}  // namespace startle
