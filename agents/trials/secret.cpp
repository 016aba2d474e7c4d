#include "agents/trials/secret.hpp"

#include <sodium.h>

#include "agents/trials/results_store.hpp"
#include "core/database.hpp"
#include "core/error.hpp"

namespace startle {
namespace {

void require_sodium() {
  if (sodium_init() < 0) throw Error("libsodium finds no source of random numbers");
}

/// Its length first, so that two texts one after the other cannot be taken for two others.
void add(crypto_generichash_state& state, std::string_view text) {
  const std::uint64_t size = text.size();
  unsigned char length[8];
  for (int i = 0; i < 8; ++i) length[i] = static_cast<unsigned char>(size >> (8 * i));
  crypto_generichash_update(&state, length, sizeof length);
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(text.data()), text.size());
}

std::string digits(const unsigned char* bytes, std::size_t size) {
  std::string text(2 * size + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), bytes, size);
  text.pop_back();
  return text;
}

}  // namespace

RunSecret RunSecret::fresh() {
  require_sodium();
  RunSecret secret;
  randombytes_buf(secret.bytes.data(), secret.bytes.size());
  return secret;
}

RunSecret RunSecret::parse(const std::string& text) {
  RunSecret secret;
  std::size_t size = 0;
  const char* end = nullptr;
  const int failed = sodium_hex2bin(secret.bytes.data(), secret.bytes.size(), text.data(), text.size(),
                                    nullptr, &size, &end);
  if (failed != 0 || size != secret.bytes.size() || end != text.data() + text.size())
    throw Error("--secret: found '" + text +
                "', allowed are 32 hexadecimal digits, for example the output of: openssl rand -hex 16");
  return secret;
}

std::string RunSecret::text() const { return digits(bytes.data(), bytes.size()); }

std::uint64_t RunSecret::derive(std::string_view purpose, std::string_view place, std::uint64_t index) const {
  require_sodium();
  static_assert(sizeof bytes >= crypto_generichash_KEYBYTES_MIN);
  crypto_generichash_state state;
  unsigned char hash[crypto_generichash_BYTES_MIN];
  crypto_generichash_init(&state, bytes.data(), bytes.size(), sizeof hash);
  add(state, purpose);
  add(state, place);
  add(state, std::to_string(index));
  crypto_generichash_final(&state, hash, sizeof hash);
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value |= static_cast<std::uint64_t>(hash[i]) << (8 * i);
  return value;
}

std::string hash_of_texts(const std::vector<std::string>& texts) {
  require_sodium();
  crypto_generichash_state state;
  unsigned char hash[crypto_generichash_BYTES];
  static_assert(sizeof hash == 32);
  crypto_generichash_init(&state, nullptr, 0, sizeof hash);
  for (const std::string& text : texts) add(state, text);
  crypto_generichash_final(&state, hash, sizeof hash);
  return digits(hash, sizeof hash);
}

std::optional<RunSecret> known_secret(const std::string& given,
                                      const std::vector<std::filesystem::path>& results) {
  if (!given.empty()) return RunSecret::parse(given);
  for (const std::filesystem::path& file : results) {
    if (Database::is_new(file)) continue;
    const Manifest manifest = ResultsStore(file).manifest();
    if (const auto found = manifest.find("secret"); found != manifest.end())
      return RunSecret::parse(found->second);
  }
  return std::nullopt;
}

}  // namespace startle
