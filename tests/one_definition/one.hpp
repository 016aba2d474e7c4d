#pragma once
// What tests/one_definition.py must find, beside other.cpp.
#include <string>

namespace startle {

struct Twice {
  std::string text = "}{";
};
enum class Both { a, b };
inline double half(double value, int n = (1 + 2)) { return value / 2 / n; }
inline int counter = 0;
template <typename T>
T same(const T& value) {
  return value;
}

namespace inner {
struct Apart {};
}  // namespace inner
namespace {
struct Hidden {};
}  // namespace
static int local(int value) { return value; }
constexpr double limit = 3;
struct Declared;
double alarmed(int value);

}  // namespace startle
