#pragma once
/// \file  Passwords, kept as hashes that are slow to try (Argon2id, of libsodium).
#include <string>

namespace startle {

/// A text of one line; other each time. Throws Error for a password of fewer than 8 or over 1000 bytes.
std::string password_hash(const std::string& password);
/// Whether the text is one that password_hash() makes.
bool is_password_hash(const std::string& text);
/// Takes the same time whether it holds or not: some 0.1 s and 64 MB of memory.
bool password_matches(const std::string& hash, const std::string& password);

}  // namespace startle
