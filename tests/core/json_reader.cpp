/// \file  JSON read from front to back: what is taken, and where and how everything else is refused.
#include "core/json_reader.hpp"

#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

double number_of(const std::string& text) {
  JsonReader in(text);
  const double value = in.number();
  in.end();
  return value;
}

std::string string_of(const std::string& text) {
  JsonReader in(text);
  const std::string value = in.string();
  in.end();
  return value;
}

}  // namespace

TEST_CASE("[core] JSON reader: members in any order, blanks between them, optional ones left out") {
  for (const char* text :
       {R"({"id":7,"places":[0.5,1]})", "\t{ \"places\" : [ 0.5 ,\r\n1 ] , \"id\" : 7 } "}) {
    CAPTURE(text);
    int id = 0;
    std::string name = "none";
    std::vector<double> places;
    JsonReader in(text);
    in.object(JsonMember{"id", [&] { id = in.whole<int>(); }},
              JsonMember{"places", [&] { in.array([&] { places.push_back(in.number()); }); }},
              JsonMember{"name", [&] { name = in.string(); }, false});
    in.end();
    CHECK(id == 7);
    CHECK(places == std::vector<double>{0.5, 1});
    CHECK(name == "none");
  }
}

TEST_CASE("[core] JSON reader: empty objects and arrays") {
  JsonReader in("[[],[ ]]");
  int arrays = 0;
  in.array([&] {
    in.array([] { FAIL("no element is there"); });
    ++arrays;
  });
  CHECK(arrays == 2);
  JsonReader object("{ }");
  object.object(JsonMember{"id", [] { FAIL("no member is there"); }, false});
  object.end();
}

TEST_CASE("[core] JSON reader: numbers as RFC 8259 has them, exact, and no others") {
  CHECK(number_of("-0.3347584903240204") == -0.3347584903240204);
  CHECK(number_of("1E+2") == 100);
  CHECK(std::signbit(number_of(" -0 ")));
  CHECK(number_of("5e-324") == 5e-324);
  for (const char* text : {"", "-", "01", "-01", "1.", ".5", "+1", "1e", "1e+", "0x10", "NaN", "inf", "1e999",
                           "1 2", "\"1\"", "null", "1,"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(number_of(text), Error);
  }
}

TEST_CASE("[core] JSON reader: whole numbers that the type can hold") {
  const auto whole = [](const char* text) { return JsonReader(text).whole<int>(); };
  CHECK(whole("2147483647") == 2147483647);
  CHECK(whole("-2147483648") == -2147483648LL);
  for (const char* text : {"2147483648", "1.0", "1e2", "true"}) CHECK_THROWS_AS(whole(text), Error);
}

TEST_CASE("[core] JSON reader: strings with and without escapes, UTF-8 only") {
  CHECK(string_of(R"("RectFat")") == "RectFat");
  CHECK(string_of(R"("")").empty());
  CHECK(string_of(R"("a\"b\\\n\u00e9")") == "a\"b\\\n\u00e9");
  CHECK(string_of("\"\u00e9\"") == "\u00e9");
  for (const char* text : {"\"", "\"a", "\"\\", "\"\\\"", "\"\\x\"", "\"\xff\"", "\"\n\"", "a", "7"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(string_of(text), Error);
  }
}

TEST_CASE("[core] JSON reader: refusals name the byte, what was found and what is allowed") {
  const auto refused = [](const std::string& text, const std::string& words) {
    JsonReader in(text);
    const auto read = [&] {
      in.object(JsonMember{"id", [&] { in.whole<int>(); }}, JsonMember{"far", [&] { in.number(); }, false});
      in.end();
    };
    CAPTURE(text);
    CHECK_THROWS_WITH(read(), Catch::Contains(words));
  };
  refused("[1]", "byte 0: found \"[1]\", allowed is an object");
  refused("{}", "key id, which is missing");
  refused(R"({"far":1})", "key id, which is missing");
  refused(R"({"id":1,"far":"x"})", "byte 14: found \"\\\"x\\\"}\", allowed is a number");
  refused(R"({"id":1,"near":2})", "byte 8");
  refused(R"({"id":1,"near":2})", "id, far");
  refused(R"({"id":3,"id":7})", "byte 8: found \"\\\"id\\\":7}\", allowed is one key id");
  refused(R"({"id":1 "far":2})", "a comma or the end of the object");
  refused(R"({"id":1,})", "a string");
  refused(R"({"id":1)", "found the end");
  refused(R"({"id":1}})", "allowed is the end");
}
