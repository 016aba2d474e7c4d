/// \file  Where two shapes touch, by hand.
#include "surprise/dynamics/contact_point.hpp"

#include "sim/shape.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

Shape at(const Shape& shape, double x, double y, double angle = 0) {
  return transformed(shape, Pose{{x, y}, angle});
}

}  // namespace

TEST_CASE("[dynamics] touch: boxes above, beside and within each other") {
  const Shape box = box_shape(2, 1);
  // Bottom of the upper one at 1 - 0.5, top of the lower one at 0.5: 0.3 between them when it stands at 1.3.
  // They share x from 0.5 to 1.
  const ContactPoint above = touch(at(box, 1.5, 1.3), at(box, 0, 0));
  CHECK(above.gap == Approx(0.3));
  CHECK(above.normal.x == Approx(0).margin(1e-12));
  CHECK(above.normal.y == Approx(1));
  CHECK(above.place.x == Approx(0.75));
  CHECK(above.place.y == Approx(0.65));
  const ContactPoint left = touch(at(box, -2.5, 0.1), at(box, 0, 0));
  CHECK(left.gap == Approx(0.5));
  CHECK(left.normal.x == Approx(-1));
  CHECK(touch(at(box, 0, 0.9), at(box, 0, 0)).gap == Approx(-0.1));
}

TEST_CASE("[dynamics] touch: discs with discs, faces and corners") {
  const Shape disc = disc_shape(0.5), box = box_shape(2, 1);
  const ContactPoint discs = touch(at(disc, 3, 4), at(disc, 0, 0));
  CHECK(discs.gap == Approx(4));
  CHECK(discs.normal.x == Approx(0.6));
  CHECK(discs.normal.y == Approx(0.8));
  CHECK(touch(at(disc, 0.2, 1.2), at(box, 0, 0)).gap == Approx(0.2));
  // From the corner (1, 0.5) to (1.3, 0.9): 0.5, less the radius.
  const ContactPoint corner = touch(at(disc, 1.3, 0.9), at(box, 0, 0));
  CHECK(corner.gap == Approx(0).margin(1e-12));
  CHECK(corner.normal.x == Approx(0.6));
}

TEST_CASE("[dynamics] touch: the other way round the normal points back") {
  const Shape disc = disc_shape(0.4), box = box_shape(0.8, 0.3);
  for (const double angle : {0.0, 0.4, 1.3, 2.9})
    for (const auto& [x, y] : {std::pair{1.0, 0.3}, std::pair{-0.2, 0.7}, std::pair{0.5, -1.0}}) {
      const ContactPoint there = touch(at(disc, x, y), at(box, 0, 0, angle)),
                         back = touch(at(box, 0, 0, angle), at(disc, x, y));
      CHECK(there.gap == Approx(back.gap).margin(1e-9));
      CHECK(there.normal.x == Approx(-back.normal.x).margin(1e-9));
      CHECK(there.normal.y == Approx(-back.normal.y).margin(1e-9));
      CHECK(there.gap <= distance(at(disc, x, y), at(box, 0, 0, angle)) + 1e-9);
    }
}
