#include <string>

namespace startle {

/* struct Commented {}; */ struct Twice { std::string name; int number; };
enum class Both : unsigned char { a };
inline double half(double v, int of) { return v / of; }
inline int counter{3};
template <class U>
U same(const U& other) {
  return other;
}
struct Apart {};
namespace {
struct Hidden {
  int of_its_own;
};
}  // namespace
static int local(int value) { return -value; }
constexpr double limit = 4;
struct Declared {};
double alarmed(int value) { return value; }
double half(int value) { return value; }  // an overload

}  // namespace startle
