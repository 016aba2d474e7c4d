#pragma once
/// \file  Open play without a server: the answers of docs/web.md, for the engine compiled into a page.
#include <filesystem>
#include <memory>
#include <string>

#include "web/http_message.hpp"

namespace startle {

/// For one thread.
class StaticSite {
 public:
  /// The levels below `levels`; `work` is made here, for levels that the player opens. Throws Error where no
  /// level can be played.
  StaticSite(std::filesystem::path levels, std::filesystem::path work);
  ~StaticSite();
  StaticSite(const StaticSite&) = delete;
  StaticSite& operator=(const StaticSite&) = delete;

  /// What a server of open play answers, and one answer more: POST /api/levels with `file` (its name) and
  /// `text` adds a level of either format to the list, in place of the one opened from a file of that name
  /// before, and gives its `id`. `target`: the path as in a URL.
  HttpResponse answer(const std::string& method, const std::string& target, const std::string& body);

 private:
  struct Answers;
  std::string open(const std::string& body);
  std::unique_ptr<Answers> read_levels() const;

  std::filesystem::path levels_, new_, opened_;
  std::unique_ptr<Answers> answers_;
};

}  // namespace startle
