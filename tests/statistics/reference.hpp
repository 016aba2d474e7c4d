#pragma once
/// \file  What scikit-learn and SciPy say of the same inputs; made by make_fixtures.py.
#include <fstream>
#include <nlohmann/json.hpp>

inline const nlohmann::json& reference() {
  static const nlohmann::json json = nlohmann::json::parse(
      std::ifstream(STARTLE_TEST_FOLDER "/reference.json"));
  return json;
}
