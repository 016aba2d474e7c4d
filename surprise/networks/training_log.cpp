#include "surprise/networks/training_log.hpp"

#include <optional>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

constexpr const char* log_head = "step,learning_rate,loss,gradient_norm,validation_loss,seconds\n";

}  // namespace

std::string training_log_line(const TrainingRow& row) {
  const auto maybe = [](const std::optional<double>& value) {
    return value ? shortest(*value) : std::string();
  };
  return std::to_string(row.step) + "," + shortest(row.learning_rate) + "," + maybe(row.loss) + "," +
         shortest(row.gradient_norm) + "," + maybe(row.validation_loss) + "," + shortest(row.seconds) + "\n";
}

std::string training_log_text(const std::vector<TrainingRow>& rows) {
  std::string text = log_head;
  for (const TrainingRow& row : rows) text += training_log_line(row);
  return text;
}

std::vector<TrainingRow> read_training_log(const std::filesystem::path& path, int step) {
  std::vector<TrainingRow> rows;
  const std::string text = read_file(path);
  std::size_t begin = 0, line_number = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;  // a line cut off by the end of the program
    const std::string line = text.substr(begin, end - begin + 1);
    begin = end + 1;
    if (++line_number == 1) {
      if (line != log_head)
        throw Error(path.string() + ": line 1: found another head than '" +
                    std::string(log_head, std::string(log_head).size() - 1) + "'");
      continue;
    }
    std::vector<std::optional<double>> cells;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t comma = line.find_first_of(",\n", at);
      const std::optional<double> value = parse_number<double>(std::string_view(line).substr(at, comma - at));
      if (comma > at && !value) break;
      cells.push_back(value);
      at = comma + 1;
    }
    if (cells.size() != 6 || !cells[0] || !cells[1] || !cells[3] || !cells[5])
      throw Error(path.string() + ": line " + std::to_string(line_number) +
                  ": this is no line of a training log");
    if (*cells[0] > step) break;
    rows.push_back({static_cast<int>(*cells[0]), *cells[1], cells[2], *cells[3], cells[4], *cells[5]});
  }
  return rows;
}

}  // namespace startle
