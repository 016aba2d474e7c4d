#include "core/password.hpp"

#include <sodium.h>

#include "core/error.hpp"

namespace startle {
namespace {

constexpr std::size_t shortest_password = 8, longest_password = 1000;  // bytes

void begin_sodium() {
  if (sodium_init() < 0) throw Error("libsodium finds no source of random numbers");
}

}  // namespace

std::string password_hash(const std::string& password) {
  if (password.size() < shortest_password || password.size() > longest_password)
    throw Error("password: found " + std::to_string(password.size()) + " bytes, allowed are " +
                std::to_string(shortest_password) + " to " + std::to_string(longest_password));
  begin_sodium();
  char hash[crypto_pwhash_STRBYTES];
  if (crypto_pwhash_str(hash, password.data(), password.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                        crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0)
    throw Error("password: there is not enough memory to hash it");
  return hash;
}

bool is_password_hash(const std::string& text) {
  begin_sodium();
  return text.size() < crypto_pwhash_STRBYTES &&
         crypto_pwhash_str_needs_rehash(text.c_str(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                                        crypto_pwhash_MEMLIMIT_INTERACTIVE) == 0;
}

bool password_matches(const std::string& hash, const std::string& password) {
  begin_sodium();
  return crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
}

}  // namespace startle
