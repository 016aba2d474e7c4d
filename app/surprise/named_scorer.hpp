#pragma once
/// \file  A scorer under another name, so that two networks can stand side by side.
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "surprise/clip_scorer.hpp"

namespace startle {

/// It remembers what it said last: who asks about the same clips again gets that.
class NamedScorer : public ClipScorer {
 public:
  NamedScorer(std::string name, std::unique_ptr<ClipScorer> scorer)
      : name_(std::move(name)), scorer_(std::move(scorer)) {}
  std::string name() const override { return name_; }
  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) override {
    std::vector<std::size_t> hashes;
    for (const Clip* clip : clips)
      hashes.push_back(
          std::hash<std::string_view>{}({reinterpret_cast<const char*>(clip->rgb.data()), clip->rgb.size()}));
    if (hashes != last_clips_) last_ = scorer_->score(clips);
    last_clips_ = std::move(hashes);
    return last_;
  }
  std::vector<ClipSurprise> score_with_residuals(const std::vector<const Clip*>& clips) override {
    return scorer_->score_with_residuals(clips);
  }

 private:
  std::vector<std::size_t> last_clips_;  ///< hashes of their pictures
  std::vector<ClipSurprise> last_;
  std::string name_;
  std::unique_ptr<ClipScorer> scorer_;
};

/// The name, with a number where one of `before` is called so: tables and results.json say scorers by their
/// names.
std::string unique_name(const std::string& name, const std::vector<std::string>& before);
std::string unique_name(const std::string& name, const std::vector<std::unique_ptr<ClipScorer>>& before);

/// Throws Error for a file whose scorer would be called as a control is, one of `taken`.
void require_other_name(const std::string& path, const std::string& name,
                        const std::vector<std::string>& taken);

}  // namespace startle
