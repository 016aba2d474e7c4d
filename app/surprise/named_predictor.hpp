#pragma once
/// \file  A predictor under another name, so that two networks can stand side by side.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "surprise/predictor.hpp"

namespace startle {

class NamedPredictor : public Predictor {
 public:
  NamedPredictor(std::string name, std::unique_ptr<Predictor> predictor) : name_(std::move(name)), predictor_(std::move(predictor)) {}
  std::string name() const override { return name_; }
  std::vector<Prediction> predict(const std::vector<const Clip*>& clips) override { return predictor_->predict(clips); }

 private:
  std::string name_;
  std::unique_ptr<Predictor> predictor_;
};

}  // namespace startle
