#pragma once
/// \file  The losses of a training run as a picture, loss.svg. Needs no LibTorch header.
#include <string>
#include <vector>

#include "surprise/networks/trainer.hpp"

namespace startle {

/// SVG of the losses over the steps, on a logarithmic scale; values that are not above 0 are left out.
/// `copy_last`: the validation loss of the prediction that nothing changes, drawn as a line to compare with.
std::string loss_plot(const std::vector<TrainingRow>& rows, double copy_last, const char* title);

}  // namespace startle
