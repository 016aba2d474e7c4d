#include "surprise/probes/intphys/published.hpp"

#include <limits>
#include <sstream>

#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {

extern const char* const
    published_intphys_text;  // surprise/probes/intphys/published.txt; probes/CMakeLists.txt makes
                             // the file that defines it

namespace {

IntPhysBlock block_of(const std::string& name) {
  if (name == "permanence") return IntPhysBlock::permanence;
  if (name == "shape") return IntPhysBlock::shape;
  if (name == "continuity") return IntPhysBlock::continuity;
  throw Error("published IntPhys figures: block '" + name +
              "' is unknown; allowed: permanence, shape, continuity");
}

/// "NAME | SOURCE | BLOCK | MEASURE".
PublishedIntPhys table_of(const std::string& head) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 3) {
    end = head.find(" | ", begin);
    fields.push_back(head.substr(begin, end == std::string::npos ? end : end - begin));
  }
  if (fields.size() != 4)
    throw Error("published IntPhys figures: found '" + head +
                "', allowed is NAME | SOURCE | BLOCK | relative or absolute");
  return {.name = fields[0],
          .source = fields[1],
          .block = block_of(fields[2]),
          .relative = fields[3] == "relative",
          .rates = {}};
}

double rate_of(const std::string& cell) {
  if (cell == "-") return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> rate = parse_number<double>(cell);
  if (!rate) throw Error("published IntPhys figures: '" + cell + "' is no rate");
  return *rate;
}

std::vector<PublishedIntPhys> read(const std::string& text) {
  std::vector<PublishedIntPhys> tables;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    tables.push_back(table_of(line));
    std::string cell;
    for (auto& row : tables.back().rates)
      for (double& rate : row)
        rate = lines >> cell ? rate_of(cell)
                             : throw Error("published IntPhys figures: " + line + ": 32 rates are allowed");
  }
  return tables;
}

}  // namespace

const std::vector<PublishedIntPhys>& published_intphys() {
  static const std::vector<PublishedIntPhys> all = read(published_intphys_text);
  return all;
}

}  // namespace startle
