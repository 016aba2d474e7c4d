/// \file  startle web: the game in a browser.
#include <iostream>
#include <memory>

#include "app/people/commands.hpp"
#include "app/shared_data.hpp"
#include "core/files.hpp"
#include "web/study_site.hpp"
#include "web/web_site.hpp"

namespace startle {
namespace {

struct WebOptions {
  WebSiteOptions site;
  StudySiteOptions study;
  std::string researcher;  ///< file with the hash of the password
  bool quiet = false;
};

template <typename Site>
int serve(Site& site, const std::string& address) {
  const bool v6 = address.find(':') != std::string::npos;
  std::cout << "http://" << (v6 ? "[" + address + "]" : address) << ":" << site.port() << "/" << std::endl;
  site.run([] { return !interrupted(); });
  return exit_interrupted;
}

int serve_play(WebSiteOptions options, bool quiet) {
  if (options.levels.empty()) options.levels = {shared_data_folder() / "levels"};
  WebSite site(options);
  if (!quiet && site.left_out() > 0)
    report(std::to_string(site.left_out()) +
           " files are left out; startle levels check says what is wrong with them");
  return serve(site, options.server.address);
}

int serve_study(WebOptions options) {
  options.study.program = "startle " STARTLE_VERSION;
  options.study.site = options.site.site;
  options.study.server = options.site.server;
  options.study.report_failure = [](const std::string& what) { report(what); };
  if (!options.researcher.empty()) {
    options.study.researcher = read_file(options.researcher);
    std::erase(options.study.researcher, '\n');
  }
  StudySite site(options.study);
  return serve(site, options.study.server.address);
}

int serve_web(const WebOptions& options) {
  catch_interrupt();
  return options.study.study.empty() ? serve_play(options.site, options.quiet) : serve_study(options);
}

}  // namespace

void add_web_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<WebOptions>();
  CLI::App* command = app.add_subcommand("web", "Serves the game, or a study with people, to browsers.");
  CLI::Option* levels = add_shared_option(*command, "LEVELS", options->site.levels,
                                          "default: the shipped ones");
  CLI::Option* study = command
                           ->add_option("--study", options->study.study,
                                        "a study with people, served in place of open play; default: none")
                           ->type_name("FILE")
                           ->excludes(levels);
  command
      ->add_option("--enrol", options->study.most_enrolled,
                   "enrols who comes with a recruiter's identifier, until the study has N participants; 0: "
                   "links alone")
      ->check(CLI::Range(0, 100000).description(""))
      ->type_name("N")
      ->capture_default_str()
      ->needs(study);
  command
      ->add_option("--researcher", options->researcher,
                   "file with the hash of a password, as startle study-people password makes it, which opens "
                   "the page /researcher; default: none (no such page)")
      ->type_name("FILE")
      ->needs(study);
  command
      ->add_option("--port", options->site.server.port,
                   "TCP port; 0: one that is free; the address is printed")
      ->check(CLI::Range(0, 65535).description(""))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--address", options->site.server.address,
                   "address to listen on; 0.0.0.0: browsers on other machines may connect")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command
      ->add_option(
          "--site", options->site.site,
          "where browsers find the server behind a reverse proxy, https://play.example.org; default: "
          "none (they connect to it)")
      ->type_name("URL");
  add_shared_option(*command, "--profile", options->site.profile)->excludes(study);
  add_quiet_option(*command, options->quiet);
  command->footer(
      "Ctrl-C ends. docs/web.md has the page, the API, and how to put TLS in front.\n"
      "Example: startle web levels/benchmark/T2");
  command->callback([options, &exit_code] { exit_code = serve_web(*options); });
}

}  // namespace startle
