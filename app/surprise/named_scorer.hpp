#pragma once
/// \file  A scorer under another name, so that two networks can stand side by side.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "surprise/clip_scorer.hpp"

namespace startle {

class NamedScorer : public ClipScorer {
 public:
  NamedScorer(std::string name, std::unique_ptr<ClipScorer> scorer)
      : name_(std::move(name)), scorer_(std::move(scorer)) {}
  std::string name() const override { return name_; }
  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) override {
    return scorer_->score(clips);
  }

 private:
  std::string name_;
  std::unique_ptr<ClipScorer> scorer_;
};

}  // namespace startle
