#include "core/text.hpp"

#include <cstdint>
#include <limits>

#include "tests/catch.hpp"

namespace startle {

TEST_CASE("[core] a text is a number as a whole or not at all") {
  CHECK(parse_number<int>("12") == 12);
  CHECK(parse_number<int>("-12") == -12);
  for (const char* none :
       {"", " ", "12zz", "12 ", " 12", "+12", "1.5", "0x10", "1e3", "2147483648", "-2147483649", "--1", "-"})
    CHECK_FALSE(parse_number<int>(none));
  CHECK(parse_number<int>("2147483647") == 2147483647);
  CHECK_FALSE(parse_number<std::uint64_t>("-1"));
  CHECK(parse_number<std::uint64_t>("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK_FALSE(parse_number<std::uint64_t>("18446744073709551616"));
  CHECK(parse_number<std::uint64_t>("00ff", 16) == 255U);
  CHECK_FALSE(parse_number<std::uint64_t>("0xff", 16));
  CHECK_FALSE(parse_number<std::uint64_t>("12zz", 16));

  CHECK(parse_number<double>("-0.125") == -0.125);
  CHECK(parse_number<double>("1e3") == 1000);
  for (const char* none : {"", "1,5", "1.5 ", "1.5f", "1e999", ".", "e3", "0x1p3", "nan", "NaN", "-nan",
                           "nan(1)", "inf", "-inf", "Infinity", "1e400", "-1e400"})
    CHECK_FALSE(parse_number<double>(none));
  CHECK_FALSE(parse_number<double>(std::string_view("1\0", 2)));
}

}  // namespace startle
