/// \file  Tables, pages and sections of all reports.
#include <limits>
#include <nlohmann/json.hpp>

#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/sections.hpp"
#include "app/reports/tiers.hpp"
#include "checks.hpp"

using namespace startle;
using namespace startle::testing;

TEST_CASE("[reports] names with signs of HTML, CSV and Markdown come through each of them") {
  const Rows rows{{"name", "said"}, {strange_name, "two\nlines"}, {"", "<script>&amp;"}};
  const Page page(
      html_page(strange_name, html_head(strange_name, "", strange_name.substr(0, 1)) + html_table(rows)));
  REQUIRE(page.tables().size() == 1);
  CHECK(page.tables()[0][1][0] == strange_name);
  CHECK(page.tables()[0][2][1] == "<script>&amp;");
  CHECK(page.count("//script") == 0);
  CHECK(page.count("//title") == 1);
  CHECK_THAT(page.text(), Catch::Contains(strange_name) && Catch::Contains("The run was interrupted"));
  CHECK(read_csv(comma_separated(rows)) == rows);
  const auto tables = markdown_tables(markdown_section({.title = "t", .note = {}, .table = rows}, 3));
  REQUIRE(tables.size() == 1);
  CHECK(tables[0][1][0] == strange_name);
  CHECK(tables[0][1][1] == "two; lines");
}

TEST_CASE("[reports] a CSV file has no formulas for a spreadsheet, and numbers stay numbers") {
  const auto written = [](const std::string& cell) { return comma_separated({{cell}}); };
  CHECK(written("=HYPERLINK(\"http://example.org\")") == "\"'=HYPERLINK(\"\"http://example.org\"\")\"\n");
  CHECK(written("-2+cmd|' /C calc'!A0") == "'-2+cmd|' /C calc'!A0\n");
  CHECK(written("+A1") == "'+A1\n");
  CHECK(written("@SUM(A1)") == "'@SUM(A1)\n");
  CHECK(written("\t=1") == "'\t=1\n");
  CHECK(written("\r=1") == "\"'\r=1\"\n");
  CHECK(written("-") == "-\n");
  for (const char* number :
       {"-3", "-0.5e-7", "+4", "-0.1 to 0.2", "-0.1 (-0.2 to -0.05)", "-3 %", "a=b", "1-2"})
    CHECK(written(number) == std::string(number) + "\n");
  // A zero byte ends the file for some readers, and an escape sequence is obeyed by terminals.
  CHECK(written(std::string("a\0b\x1b[2J", 7)) ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD[2J\n");
}

TEST_CASE("[reports] Markdown holds no HTML, link or picture of a stranger") {
  const std::string hostile = "<img src=x onerror=alert(1)> ![p](http://example.org/p) `a|b` \\| c\td & e";
  const std::string text = markdown_section({.title = hostile, .note = hostile, .table = {{"h"}, {hostile}}},
                                            2);
  CHECK(text.find('<') == std::string::npos);
  CHECK(text.find("[p]") == std::string::npos);
  CHECK_THAT(text, Catch::Contains("&lt;img") && Catch::Contains("!\\[p\\]") && Catch::Contains("&amp; e"));
  const auto tables = markdown_tables(text);
  REQUIRE(tables.size() == 1);
  REQUIRE(tables[0].size() == 2);
  REQUIRE(tables[0][1].size() == 1);
  CHECK(tables[0][1][0] == "<img src=x onerror=alert(1)> ![p](http://example.org/p) `a|b` \\| c d & e");
}

TEST_CASE("[reports] a section without table or note is its heading, and an empty table is none") {
  CHECK(markdown_section({.title = "t", .note = {}, .table = {}}, 2) == "\n## t\n\n");
  CHECK(html_section({.title = "a<b", .note = {}, .table = {}}, 4) == "<h4>a&lt;b</h4>\n");
  CHECK(aligned({}).empty());
  CHECK(comma_separated({}).empty());
}

TEST_CASE("[reports] columns of numbers are flush right, others left") {
  CHECK(aligned({{"name", "n"}, {"a", "5"}, {"bcdef", "-10.5"}}) ==
        "name       n\na          5\nbcdef  -10.5\n");
  CHECK(aligned({{"n"}, {"-"}, {"5"}}) == "n\n-\n5\n");
}

TEST_CASE("[reports] estimates as text, cells and JSON, by hand") {
  const Estimate full{.value = 0.5, .interval = IntervalEstimate{0.25, 0.75}, .count = 8},
      bare{.value = 2.0 / 3}, none{};
  CHECK(with_interval(full, 2) == "0.50 (0.25 to 0.75)");
  CHECK(with_interval(bare) == "0.667");
  CHECK(with_interval(none) == "-");
  CHECK(with_count(full, 1) == "0.5 (0.2 to 0.8) n=8");
  CHECK(with_count(none) == "-");
  CHECK(in_lines(full) == "0.500\n0.250 to 0.750\nn = 8");
  CHECK(in_lines(none) == "-");
  std::vector<std::string> row;
  add_estimate(row, full);
  add_estimate(row, none);
  CHECK(row == std::vector<std::string>{"0.5", "0.25", "0.75", "", "", ""});
  CHECK(json_of(full).dump() == R"({"value":0.5,"low":0.25,"high":0.75})");
  CHECK(json_of(none).dump() == R"({"value":null,"low":null,"high":null})");
  CHECK(json_with_count(full).dump() == R"({"value":0.5,"n":8,"interval":[0.25,0.75]})");
  CHECK(json_with_count(none).dump() == R"({"value":null,"n":0})");
  CHECK(p_value(0.00009) == "< 0.0001");
  CHECK(p_value(0.0375) == "0.0375");
  CHECK(list_of({}).empty());
  CHECK(list_of({"a"}) == "a");
  CHECK(list_of({"a", "b", "c"}) == "a, b and c");
}

TEST_CASE("[reports] the chart of tiers has a bar for each value, and none for a tier without") {
  const std::vector<TierBar> bars{{"T1", "easy", {.value = 0.75, .interval = IntervalEstimate{0.5, 1}}},
                                  {"T1", "hard", {.value = 0.25}},
                                  {"a<b & \"c\"", "easy", {}}};
  const std::string svg = tier_chart(bars, "t", "share");
  check_numbers(svg);
  pugi::xml_document document;
  REQUIRE(document.load_string(svg.c_str()));
  std::vector<double> heights;
  for (const pugi::xpath_node& bar : document.select_nodes("//rect[title]"))
    heights.push_back(bar.node().attribute("height").as_double());
  REQUIRE(heights.size() == 2);
  CHECK(heights[0] == Approx(3 * heights[1]).margin(0.05));
  CHECK(document.load_string(tier_chart({}, "empty", "").c_str()));
}

TEST_CASE("[reports] what is detected in words and bars, by hand") {
  const DetectionFinding one{
      .name = strange_name,
      .detected = {{"easy", {.value = 0.954, .interval = IntervalEstimate{0.93, 0.96}}},
                   {"medium", {}},
                   {"hard", {.value = 0.5}},
                   {"high", {.value = 0.1}}},  // a third, which the words do not name
      .false_alarms = {.value = 0.03, .interval = IntervalEstimate{0.02, 0.04}}},
      none{.name = "silent", .detected = {}, .false_alarms = {}};
  CHECK(
      detection_words(one, "it", "shots") ==
      "it detects 95 % (95 % interval 93 to 96) of easy and 50 % of hard shots; false alarms: 3 % (2 to 4).");
  CHECK(detection_words(none, "it", "shots") == "it was given no novel shots.");
  CHECK(detection_words({.name = "", .detected = {{"", {.value = 0.25}}}, .false_alarms = {}}, "it",
                        "trials") == "it detects 25 % of the trials.");
  DetectionFinding beside_null = one;
  beside_null.null = {.value = 0.04};
  CHECK_THAT(detection_words(beside_null, "it", "shots"),
             Catch::EndsWith("; where nothing changed: 4 %; false alarms: 3 % (2 to 4)."));
  pugi::xml_document document;
  const std::string svg = detection_chart({one, none}, "t", "share");
  check_numbers(svg);
  REQUIRE(document.load_string(svg.c_str()));
  CHECK(document.select_nodes("//rect[title]").size() == 4);
  pugi::xml_document with_null;
  REQUIRE(with_null.load_string(detection_chart({beside_null, none}, "t", "share").c_str()));
  CHECK(with_null.select_nodes("//rect[title]").size() == 5);
  CHECK(document.select_nodes("//path[@stroke='#222']").size() == 4);  // each with its interval
  CHECK(document.load_string(detection_chart({}, "none", "share").c_str()));
  const Page page(html_page("t", html_finding(strange_name, svg)));
  CHECK_THAT(page.text(), Catch::Contains(strange_name));
  CHECK(page.count("//p[@class='finding']/following-sibling::*[1][self::div[@class='wide']/svg]") == 1);
  CHECK_THAT(html_page("t", "<p>of 35 % (3 %), a %</p>"),
             Catch::Contains("<p>of 35&#160;% (3&#160;%), a %</p>"));  // no line ends before a unit
}

TEST_CASE("[reports] the checks of reports see what they are for") {
  const auto estimates = [](const Rows& rows) { return check_estimates(rows); };
  CHECK(estimates({{"a", "b", "b, 95 %", "c", "c_low", "c_high", "d"},
                   {"0.5 (0.2 to 0.8)", "0.3", "0.1 to 0.4", "1", "0.5", "2", "3 of 6, 0.2 to 0.8"}}) == 4);
  CHECK(estimates({{"a"}, {"0.5\n0.2 to 0.8\nn = 3"}}) == 1);
  CHECK(read_csv("a,\"b,\"\"c\"\"\"\n1,2\n") == Rows{{"a", "b,\"c\""}, {"1", "2"}});
}

TEST_CASE("[reports] tables: in LaTeX cells stay apart, and text of strangers does nothing") {
  const std::string text = latex_tables(
      {{"A & B", "50 %.", {{"agent", "easy"}, {"\\input{x}_$~^<#|", "0.5\n1"}}, true},
       {"Words", "alone", {}}});
  CHECK(text ==
        "% Tables of startle; they need \\usepackage{booktabs}.\n"
        "\n\\begin{table}\n\\caption{A \\& B. 50 \\%.}\n\\begin{tabular}{ll}\n\\toprule\n"
        "agent & easy \\\\\n\\midrule\n"
        "\\textbackslash{}input\\{x\\}\\_\\$\\textasciitilde{}\\textasciicircum{}$<$\\#$\\vert$ & 0.5; 1 "
        "\\\\\n\\bottomrule\n\\end{tabular}\n\\end{table}\n");
}
