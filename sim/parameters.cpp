#include "sim/parameters.hpp"

#include <algorithm>

namespace startle {

const char* name(Parameter parameter) { return parameter_info(parameter).name; }

double& value_of(Parameters& parameters, Parameter parameter) {
  return parameters.*parameter_info(parameter).member;
}
double value_of(const Parameters& parameters, Parameter parameter) {
  return parameters.*parameter_info(parameter).member;
}

double Change::apply(double old_value, Parameter parameter) const {
  const double changed = kind == ChangeKind::factor   ? old_value * amount
                         : kind == ChangeKind::offset ? old_value + amount
                                                      // This form is exact at both ends.
                                                      : (1 - share) * old_value + share * amount;
  return std::max(changed, parameter_info(parameter).least);
}

}  // namespace startle
