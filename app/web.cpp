/// \file  startle web: the game in a browser.
#include <iostream>
#include <memory>

#include "app/command.hpp"
#include "app/shared_data.hpp"
#include "web/web_site.hpp"

namespace startle {
namespace {

struct WebOptions {
  WebSiteOptions site;
  bool quiet = false;
};

int serve_web(WebOptions options) {
  if (options.site.levels.empty()) options.site.levels = {shared_data_folder() / "levels"};
  catch_interrupt();
  WebSite site(options.site);
  if (!options.quiet && site.left_out() > 0)
    report(std::to_string(site.left_out()) +
           " files are left out; startle levels check says what is wrong with them");
  const std::string& address = options.site.server.address;
  const bool v6 = address.find(':') != std::string::npos;
  std::cout << "http://" << (v6 ? "[" + address + "]" : address) << ":" << site.port() << "/" << std::endl;
  site.run([] { return !interrupted(); });
  return exit_interrupted;
}

}  // namespace

void add_web_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<WebOptions>();
  CLI::App* command = app.add_subcommand("web", "Serves the game to browsers.");
  add_shared_option(*command, "LEVELS", options->site.levels, "default: the shipped ones");
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
  add_shared_option(*command, "--profile", options->site.profile);
  add_quiet_option(*command, options->quiet);
  command->footer(
      "Ctrl-C ends. docs/web.md has the page, the API, and how to put TLS in front.\n"
      "Example: startle web levels/benchmark/T2");
  command->callback([options, &exit_code] { exit_code = serve_web(*options); });
}

}  // namespace startle
