#include "core/password.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[core] a password fits its hash, which is another one each time, and nothing else does") {
  const std::string hash = password_hash("correct horse");
  CHECK(hash.starts_with("$argon2id$"));
  CHECK(hash.find("horse") == std::string::npos);
  CHECK(hash != password_hash("correct horse"));
  CHECK(is_password_hash(hash));
  CHECK(password_matches(hash, "correct horse"));
  CHECK_FALSE(password_matches(hash, "correct hors"));
  CHECK_FALSE(password_matches(hash, std::string("correct horse\0", 14)));
  CHECK_FALSE(password_matches("", ""));
  CHECK_FALSE(is_password_hash(""));
  CHECK_FALSE(is_password_hash("correct horse"));
  CHECK_FALSE(is_password_hash(hash + std::string(200, 'a')));
  CHECK_THROWS_WITH(password_hash("1234567"), Catch::Contains("found 7 bytes, allowed are 8 to 1000"));
  CHECK_THROWS_AS(password_hash(std::string(1001, 'a')), Error);
}
