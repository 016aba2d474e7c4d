#include "app/surprise/named_scorer.hpp"

#include <algorithm>

#include "app/reports/estimates.hpp"
#include "core/error.hpp"

namespace startle {

std::string unique_name(const std::string& name, const std::vector<std::unique_ptr<ClipScorer>>& before) {
  std::string unique = name;
  const auto taken = [&](const std::unique_ptr<ClipScorer>& scorer) { return scorer->name() == unique; };
  for (int i = 2; std::any_of(before.begin(), before.end(), taken); ++i)
    unique = name + " (" + std::to_string(i) + ")";
  return unique;
}

void require_other_name(const std::string& path, const std::string& name,
                        const std::vector<std::string>& taken) {
  if (std::find(taken.begin(), taken.end(), name) != taken.end())
    throw Error(path + ": found the name '" + name +
                "', which is that of a control; allowed is any name but " + list_of(taken));
}

}  // namespace startle
