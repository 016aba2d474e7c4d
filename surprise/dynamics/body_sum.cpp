#include "surprise/dynamics/body_sum.hpp"

#include <algorithm>
#include <cmath>

namespace startle {

void BodySum::add(double score_of_one, double information_of_one) {
  score += score_of_one;
  information += information_of_one;
  squares += score_of_one * score_of_one;
  roots += std::sqrt(information_of_one);
}

double BodySum::count() const { return information > 0 ? std::max(1.0, roots * roots / information) : 1; }

MechanismSum sum_of(const BodySums& bodies, double correlation) {
  MechanismSum sum;
  for (const auto& [id, body] : bodies) {
    const double design_effect = 1 + (body.count() - 1) * correlation;
    sum.score += body.score / design_effect;
    sum.information += body.information / design_effect;
  }
  return sum;
}

double body_correlation(const std::vector<BodySum>& bodies) {
  double products = 0, pairs = 0, variance = 0, observations = 0;
  for (const BodySum& body : bodies) {
    const double count = body.count();
    if (count <= 1) continue;
    products += count * (body.score * body.score - body.squares) / body.information;
    pairs += count * (count - 1);
    variance += count * body.squares / body.information;
    observations += count;
  }
  return variance > 0 ? std::clamp(products / pairs / (variance / observations), 0.0, 1.0) : 0;
}

}  // namespace startle
