/// \file  startle study-people power: how many participants a study needs.
#include "app/people/commands.hpp"
#include "app/reports/estimates.hpp"
#include "app/reports/table.hpp"
#include "people/study_power.hpp"

namespace startle {
namespace {

struct PowerOptions {
  PowerQuestion question;
  int studies = 2000, threads = 0;
  std::uint64_t seed = 1;
  Output output;
};

void run(const PowerOptions& options) {
  const PowerAnswer answer = participants_needed(options.question, options.studies, options.seed,
                                                 options.threads);
  const Rows rows{{"participants", "power", "false_alarms", "by_formula"},
                  {std::to_string(answer.participants), with_count(answer.power.estimate(), 3),
                   with_count(answer.false_alarms.estimate(), 3), std::to_string(answer.by_formula)}};
  emit(options.output.is("csv") ? comma_separated(rows) : aligned(rows), options.output.out);
}

}  // namespace

void add_people_power(CLI::App& people) {
  const auto options = std::make_shared<PowerOptions>();
  PowerQuestion& question = options->question;
  CLI::App* command = people.add_subcommand(
      "power", "How many participants show that easy changes are detected more often than hard ones.");
  const auto number = [&](const char* name, auto& value, const char* type, const char* meaning) {
    command->add_option(name, value, meaning)->type_name(type)->capture_default_str();
  };
  number("--easy", question.easy, "RATE", "share of easy changes that people detect, 0.001 to 0.999");
  number("--hard", question.hard, "RATE", "share of hard changes that people detect, 0.001 to 0.999");
  number("--tier-items", question.items, "N",
         "novel items of each of the two tiers that a participant plays, 1 to 1000");
  number("--spread", question.spread, "SD",
         "standard deviation between participants of their chance to detect a change of one tier, from 0");
  number("--significance", question.significance, "P",
         "p-value up to which the tiers count as different, 0.001 to 0.5");
  number("--power", question.power, "CHANCE", "chance that they are found different, 0.5 to 0.99");
  command->add_option("--studies", options->studies, "simulated studies of each size, 100 to 100000")
      ->check(CLI::Range(100, 100000).description(""))
      ->type_name("N")
      ->capture_default_str();
  add_seed_option(*command, options->seed);
  add_threads_option(*command, options->threads);
  add_output_options(*command, options->output, {"text", "csv"});
  command->footer("Example: startle study-people power --easy 0.76 --hard 0.4 --tier-items 2");
  command->callback([options] { run(*options); });
}

}  // namespace startle
