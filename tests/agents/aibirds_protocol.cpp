/// \file  Messages of Science Birds agents, byte for byte as the table of the protocol has them.
#include <set>

#include "agents/agent.hpp"
#include "agents/aibirds/protocol.hpp"
#include "core/random.hpp"
#include "tests/agents/aibirds_client.hpp"
#include "tests/catch.hpp"

using namespace startle;
using namespace startle::aibirds;

namespace {

/// Decodes; no shorter part of it may be taken for a request, and what follows it may not matter.
Request read(const std::string& hex, Dialect dialect = Dialect::phyq) {
  const std::string bytes = from_hex(hex);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    INFO(n << " bytes of " << hex);
    CHECK(decode(bytes.substr(0, n), dialect).bytes == 0);
  }
  const Decoded decoded = decode(bytes + "\xFF\x1F", dialect);
  CHECK(decoded.bytes == bytes.size());
  return decoded.request;
}

void check_refused(const std::string& hex, const std::string& words) {
  try {
    decode(from_hex(hex), Dialect::phyq);
    FAIL(hex << " was read");
  } catch (const AgentFailure& failure) {
    CHECK(std::string(name(failure.status())) == "protocol_error");
    CHECK_THAT(failure.what(), Catch::Contains(words));
  }
}

}  // namespace

TEST_CASE("[aibirds] requests: every code of the table with its fields") {
  CHECK(read("01 000070B8 01").number == 28856);
  CHECK(read("01 000070B8 01").mode == 1);
  CHECK(read("02 00000032").number == 50);
  CHECK(read("33 00000007").number == 7);
  CHECK(read("48 00000002").number == 2);
  for (const int code : {11, 12, 13, 14, 15, 23, 34, 35, 36, 52, 53, 61, 62, 63, 64, 65, 68, 69, 71})
    CHECK(static_cast<int>(read(to_hex(std::string(1, static_cast<char>(code)))).code) == code);

  for (const char* code : {"1F", "29"}) {
    const ScreenShot shot = read(code + std::string(" 0000006C FFFFFFF6 00000005 000004B0")).shots.at(0);
    CHECK(!shot.polar);
    CHECK(!shot.has_focus);
    CHECK(shot.a == 108);
    CHECK(shot.b == -10);
    CHECK(shot.hold_ms == 5);
    CHECK(shot.tap_ms == 1200);
  }
  for (const char* code : {"20", "2A"}) {
    const ScreenShot shot = read(code + std::string(" 00000064 00000BB8 00000000 00000000")).shots.at(0);
    CHECK(shot.polar);
    CHECK(shot.a == 100);
    CHECK(shot.b == 3000);
  }
  for (const char* code : {"21", "2B"}) {
    const Request request = read(
        code +
        std::string(" 02 1F 00000001 00000002 00000003 00000004 2A 00000005 00000006 00000007 00000008"));
    REQUIRE(request.shots.size() == 2);
    CHECK(!request.shots[0].polar);
    CHECK(request.shots[0].tap_ms == 4);
    CHECK(request.shots[1].polar);
    CHECK(request.shots[1].b == 6);
    CHECK(read(code + std::string(" 00")).shots.empty());
  }
  const Request recorded = read("26 00000001 00000002 00000003 00000004 00000005");
  CHECK(recorded.shots.at(0).tap_ms == 4);
  CHECK(recorded.frequency == 5);
  const Request batch = read("46 00000003 0000012C");
  CHECK(batch.frequency == 3);
  CHECK(batch.frames == 300);

  // 0.75 and 0.25 as IEEE 754: 3F400000, 3E800000.
  const Request report = read("42 3F400000 3E800000 00000002 FFFFFFFE 00000007 00000001 00000002 C3A9");
  CHECK(report.novel == 0.75);
  CHECK(report.not_novel == 0.25);
  CHECK(report.objects == std::vector<std::int32_t>{-2, 7});
  CHECK(report.novelty_level == 1);
  CHECK(report.description == "\xC3\xA9");
  CHECK(read("43 00000003 616263").description == "abc");
}

TEST_CASE("[aibirds] requests: dialects differ in the length of shots") {
  // Focus (200, 300), 100 to the left and 20 down, tap after 900 ms.
  const ScreenShot shot =
      read("1F 000000C8 0000012C FFFFFF9C 00000014 00000000 00000384", Dialect::alpha).shots.at(0);
  CHECK(release_point(shot, {1, 1}) == Vec2{100, 320});
  CHECK(shot.tap_ms == 900);
  // Polar: here the angle comes before the distance.
  const Vec2 polar = release_point(
      read("20 000000C8 0000012C 00000BB8 00000064 00000000 00000000", Dialect::alpha).shots.at(0), {1, 1});
  CHECK(polar.x == Approx(200 - 86.60254).epsilon(1e-6));  // 100 cos 30 degrees
  CHECK(polar.y == Approx(350).epsilon(1e-6));             // 300 + 100 sin 30 degrees, y down
  CHECK(read("26 00000001 00000002 00000003 00000004 00000005 00000001", Dialect::hydra).frequency == 5);
  CHECK(release_point({.a = 108, .b = -10}, {200, 300}) == Vec2{108, -10});
}

TEST_CASE("[aibirds] requests: what cannot be read is refused, whatever follows") {
  const std::set<int> known{1,  2,  11, 12, 13, 14, 15, 23, 31, 32, 33, 34, 35, 36, 38, 41, 42,
                            43, 51, 52, 53, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72};
  for (int code = 0; code < 256; ++code)
    if (!known.contains(code))
      check_refused(to_hex(std::string(1, static_cast<char>(code))),
                    "unknown request code " + std::to_string(code));
  check_refused("21 11", "17 shots");
  check_refused("21 01 0C", "code 12");
  check_refused("42 00000000 00000000 00001001", "4097 objects");
  check_refused("42 00000000 00000000 FFFFFFFF", "4294967295 objects");
  check_refused("42 00000000 00000000 00000000 00000000 00002711", "10001 bytes");
  check_refused("43 FFFFFFFF", "4294967295 bytes");
}

TEST_CASE("[aibirds] requests: of random bytes never more are taken than there are") {
  Random random(7);
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(static_cast<std::size_t>(random.integer(0, 60)), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.integer(0, random.chance(0.5) ? 72 : 255));
    const auto dialect = static_cast<Dialect>(random.integer(0, 2));
    try {
      const Decoded decoded = decode(bytes, dialect);
      REQUIRE(decoded.bytes <= bytes.size());
      if (decoded.bytes > 0) {
        ++taken;
        REQUIRE(decode(bytes.substr(0, decoded.bytes - 1), dialect).bytes == 0);
      }
    } catch (const AgentFailure& failure) {
      REQUIRE(failure.status() == Status::protocol_error);
    }
  }
  CHECK(taken > 1000);
}

TEST_CASE("[aibirds] replies, byte for byte") {
  CHECK(to_hex(byte_reply(13)) == "0D");
  CHECK(to_hex(number_reply(0x01020304)) == "01020304");
  CHECK(to_hex(configure_reply(1, 300, 21)) == "01FF15");
  Bitmap picture(2, 1);
  picture.rgb = {1, 2, 3, 250, 251, 252};
  CHECK(to_hex(image_reply(picture)) == "0000000200000001010203FAFBFC");
  CHECK(ground_truth_reply("[]") == from_hex("00000007") + "[]     ");  // five bytes more, counted
  CHECK(batch_reply({"1", "22"}) ==
        from_hex("00000002 00000006") + "1     " + from_hex("00000007") + "22     ");
  CHECK(to_hex(batch_reply({})) == "00000000");
  CHECK(to_hex(scores_reply({5, 65536}, true)) == "000000020000000500010000");
  CHECK(to_hex(scores_reply({5}, false)) == "00000005");
  CHECK(text_reply("{}") == from_hex("00000002") + "{}");
  CHECK(to_hex(new_set_reply({.minutes = 1,
                              .interactions = 2,
                              .levels = 3,
                              .attempts = 4,
                              .mode = 5,
                              .order = 6,
                              .novelty_given = 7})) == "00000001000000020000000300000004050607");
}
