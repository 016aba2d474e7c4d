#pragma once
/// \file  What holds of every report, whatever it is about.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <pugixml.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/reports/table.hpp"
#include "tests/catch.hpp"

namespace startle::testing {

/// A name that must be escaped in HTML and XML, in CSV and in Markdown tables.
inline const std::string strange_name = "a<b & \"c\", d|e";

inline bool has_column(const Rows& rows, const std::string& name) {
  return std::find(rows.at(0).begin(), rows.at(0).end(), name) != rows.at(0).end();
}
inline std::size_t column(const Rows& rows, const std::string& name) {
  INFO("column " << name);
  REQUIRE(has_column(rows, name));
  return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
}
/// The cell of the first row whose first cells are `row`.
inline std::string cell(const Rows& rows, const std::vector<std::string>& row, const std::string& name) {
  const std::size_t at = column(rows, name);
  for (const auto& one : rows)
    if (std::equal(row.begin(), row.end(), one.begin())) return one.at(at);
  FAIL("no such row, beginning with " << row.at(0));
  return "";
}

/// No number came of dividing by nothing.
inline void check_numbers(const std::string& text) {
  static const std::regex bad("(^|[^A-Za-z])-?(nan|inf)([^A-Za-z]|$)");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line.substr(0, 400));
    bool found = false;  // line by line and only where there is something to find: std::regex takes a stack
                         // frame a letter
    for (const char* word : {"nan", "inf"})
      for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1))
        found = found || std::regex_search(line.substr(at > 2 ? at - 2 : 0, 7), bad);
    CHECK_FALSE(found);
  }
}

/// FAILs where the text is no number.
inline double number_of(const std::string& text, const std::string& where = "") {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  INFO(where << ": '" << text << "' is to be a number");
  REQUIRE((!text.empty() && *end == '\0'));
  return value;
}

inline void check_within(double low, double value, double high, const std::string& where) {
  INFO(where);
  CHECK(low <= value);
  CHECK(value <= high);
}

/// Every estimate of a table that stands beside its interval, in the forms that reports have, lies in it.
/// Returns how many there are.
inline int check_estimates(const Rows& rows) {
  static const std::string number = "(-?[0-9.]+(?:e-?[0-9]+)?)";
  static const std::regex in_brackets(number + "(?: %)? \\(" + number + " to " + number + "\\)"),
      in_lines(number + "\n" + number + " to " + number),
      of_count("([0-9]+) of ([0-9]+), " + number + " to " + number), interval(number + " to " + number);
  int count = 0;
  const auto check = [&](double low, double value, double high, const std::string& where) {
    ++count;
    check_within(low, value, high, where);
  };
  for (std::size_t r = 1; r < rows.size(); ++r)
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string& text = rows[r][c];
      const std::string where = rows[r][0] + ", " + rows[0][c] + ": " + text;
      std::smatch found;
      if (std::regex_search(text, found, in_brackets) || std::regex_search(text, found, in_lines))
        check(number_of(found[2]), number_of(found[1]), number_of(found[3]), where);
      if (std::regex_search(text, found, of_count))
        check(number_of(found[3]), number_of(found[1]) / number_of(found[2]), number_of(found[4]), where);
      // A column of intervals is named after its estimate.
      const std::string& head = rows[0][c];
      if (head.ends_with(", 95 %") && std::regex_match(text, found, interval)) {
        const std::string estimate = rows[r].at(column(rows, head.substr(0, head.size() - 6)));
        check(number_of(found[1]), number_of(estimate, where), number_of(found[2]),
              where + " of " + estimate);
      }
      if (head.ends_with("_low") && !text.empty()) {
        const std::string name = head.substr(0, head.size() - 4);
        check(number_of(text), number_of(rows[r].at(column(rows, name)), where),
              number_of(rows[r].at(column(rows, name + "_high")), where), where);
      }
    }
  return count;
}

/// Rows as long as their head, no two columns of one name, estimates in their intervals, numbers that are
/// numbers. Returns how many estimates there are.
inline int check_table(const Rows& rows) {
  REQUIRE_FALSE(rows.empty());
  std::set<std::string> names;
  for (const std::string& name : rows[0]) {
    INFO("column " << name);
    CHECK(names.insert(name).second);
  }
  for (const auto& row : rows) {
    CHECK(row.size() == rows[0].size());
    for (const std::string& text : row) check_numbers(text);
  }
  return check_estimates(rows);
}

inline std::string text_of_node(const pugi::xml_node& node) {
  std::string text;
  for (const pugi::xml_node child : node.children()) {
    if (std::string(child.name()) == "br") text += "\n";
    text += child.type() == pugi::node_pcdata ? child.value() : text_of_node(child);
  }
  const std::string no_break = "\xC2\xA0";  // as a plain blank
  for (std::size_t at; (at = text.find(no_break)) != std::string::npos;)
    text.replace(at, no_break.size(), " ");
  return text;
}

/// A page, read as XML: what HTML need not close is closed first.
class Page {
 public:
  explicit Page(std::string html) : html_(std::move(html)) {
    std::string xml = html_;
    for (const char* open : {"<meta ", "<br", "<img "})
      for (std::size_t at = xml.find(open); at != std::string::npos; at = xml.find(open, at + 1))
        xml.insert(xml.find('>', at), "/");
    const pugi::xml_parse_result result = document_.load_string(
        xml.c_str(), pugi::parse_default | pugi::parse_ws_pcdata_single);
    INFO(result.description()
         << " at "
         << xml.substr(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset - 60, 0)), 120));
    REQUIRE(result);
    for (std::size_t at = html_.find('&'); at != std::string::npos; at = html_.find('&', at + 1)) {
      const std::size_t end = html_.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#", at + 1);
      INFO(html_.substr(at, 30));
      CHECK((end != std::string::npos && end > at + 1 && html_[end] == ';'));
    }
    check_numbers(html_);
    std::set<std::string> ids;
    for (const pugi::xpath_node& node : document_.select_nodes("//*[@id]")) {
      INFO("id " << node.node().attribute("id").value());
      CHECK(ids.insert(node.node().attribute("id").value()).second);
    }
    // A table scrolls in a box of its own, and so does the chart that a page opens with.
    CHECK(count("//table[not(ancestor::div[@class='wide'])]") == 0);
    CHECK(count("//p[@class='finding']/following-sibling::*[1][self::svg]") == 0);
    for (const pugi::xpath_node& found : document_.select_nodes("//table")) {
      Rows rows;
      for (const pugi::xml_node row : found.node().children("tr")) {
        rows.emplace_back();
        for (const pugi::xml_node one : row.children()) rows.back().push_back(text_of_node(one));
      }
      estimates_ += check_table(rows);
      tables_.push_back(std::move(rows));
    }
  }
  const std::vector<Rows>& tables() const { return tables_; }
  /// The first table with such a column.
  const Rows& table(const std::string& with_column) const {
    for (const Rows& rows : tables_)
      if (has_column(rows, with_column)) return rows;
    FAIL("no table with a column " << with_column);
    return tables_.front();
  }
  int estimates() const { return estimates_; }
  const std::string& html() const { return html_; }
  std::size_t count(const char* xpath) const { return document_.select_nodes(xpath).size(); }
  /// Of the whole page, entities resolved.
  std::string text() const { return text_of_node(document_); }

 private:
  std::string html_;
  pugi::xml_document document_;
  std::vector<Rows> tables_;
  int estimates_ = 0;
};

/// A figure as a file of its own, which is one that the page has.
inline void check_figure(const std::string& svg, const std::string& page) {
  pugi::xml_document document;
  REQUIRE(document.load_string(svg.c_str()));
  CHECK(std::string(document.document_element().attribute("xmlns").value()) == "http://www.w3.org/2000/svg");
  CHECK_FALSE(document.select_nodes("//rect").empty());
  REQUIRE(svg.ends_with("</svg>\n"));
  CHECK(page.find(svg) != std::string::npos);
}

/// Reads what comma_separated() writes (RFC 4180).
inline Rows read_csv(const std::string& text) {
  Rows rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"')
        rows.back().back() += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        rows.back().back() += text[++i];
      else
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\n') {
      if (i + 1 < text.size()) rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  return rows;
}

/// Tables of a Markdown text; "\|" is a bar, and "&lt;", "&gt;" and "&amp;" are what they stand for.
inline std::vector<Rows> markdown_tables(const std::string& text) {
  std::vector<Rows> tables;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != '|') {
      inside = false;
      continue;
    }
    if (line.starts_with("|---")) continue;
    if (!inside) tables.emplace_back();
    inside = true;
    std::vector<std::string> row(1);
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '\\' && i + 1 < line.size())
        row.back() += line[++i];
      else if (line[i] == '|')
        row.emplace_back();
      else
        row.back() += line[i];
    }
    row.pop_back();
    for (std::string& one : row) {
      one.erase(0, one.find_first_not_of(' '));
      one.erase(one.find_last_not_of(' ') + 1);
      for (const auto& [entity, sign] : {std::pair("&lt;", "<"), {"&gt;", ">"}, {"&amp;", "&"}})
        for (std::size_t at = 0; (at = one.find(entity, at)) != std::string::npos; ++at)
          one.replace(at, std::strlen(entity), sign);
    }
    tables.back().push_back(row);
  }
  return tables;
}

}  // namespace startle::testing
