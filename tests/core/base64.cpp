#include "core/base64.hpp"

#include "core/random.hpp"
#include "tests/catch.hpp"

namespace startle {

TEST_CASE("[core] base64: the test vectors of RFC 4648, section 10") {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    CHECK(to_base64(std::string_view(bytes)) == text);
    const std::string_view given(bytes);
    CHECK(from_base64(text) == std::vector<std::uint8_t>(given.begin(), given.end()));
  }
  CHECK(to_base64(std::vector<std::uint8_t>{0xfb, 0xff, 0xbf}) == "+/+/");
}

TEST_CASE("[core] base64: any bytes come back, and any text that is read is written again") {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(random.integer(0, 40)));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.integer(0, 255));
    CHECK(from_base64(to_base64(bytes)) == bytes);
    std::string text = to_base64(bytes);
    if (text.empty()) continue;
    text[static_cast<std::size_t>(random.integer(0, static_cast<int>(text.size()) - 1))] = static_cast<char>(
        random.integer(32, 126));
    if (const auto read = from_base64(text)) CHECK(to_base64(*read) == text);
  }
}

TEST_CASE("[core] base64: what is no base64 is refused") {
  for (const char* text :
       {"Zg", "Zg=", "Zg==Zg==", "Z===", "====", "Zg=v", "Zh==", "Zm9=", "Zm 9", "Zm9-", "Zm9\n"})
    CHECK_FALSE(from_base64(text));
}

}  // namespace startle
