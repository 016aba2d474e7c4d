#pragma once
/// \file  The picture of whether features are spread evenly over the sphere.
#include <string>

#include "statistics/uniformity.hpp"

namespace startle {

/// SVG: r_k of the points, which are `what` ("shots"), against that of points uniform on the sphere, as
/// shares.
std::string uniformity_plot(const std::string& what, const UniformityTest& test);

}  // namespace startle
