#include "app/surprise/named_scorer.hpp"

#include <algorithm>

#include "app/reports/estimates.hpp"
#include "core/error.hpp"

namespace startle {

std::string unique_name(const std::string& name, const std::vector<std::string>& before) {
  std::string unique = name;
  for (int i = 2; std::find(before.begin(), before.end(), unique) != before.end(); ++i)
    unique = name + " (" + std::to_string(i) + ")";
  return unique;
}

std::string unique_name(const std::string& name, const std::vector<std::unique_ptr<ClipScorer>>& before) {
  std::vector<std::string> names;
  for (const std::unique_ptr<ClipScorer>& scorer : before) names.push_back(scorer->name());
  return unique_name(name, names);
}

void require_other_name(const std::string& path, const std::string& name,
                        const std::vector<std::string>& taken) {
  if (std::find(taken.begin(), taken.end(), name) != taken.end())
    throw Error(path + ": found the name '" + name +
                "', which is that of a control; allowed is any name but " + list_of(taken));
}

}  // namespace startle
