#include "shared/base/log.h"
#include "shared/base/version.h"
#include "tools/commands.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

int run(int argc, char** argv) {
  CLI::App app{
      "jostle records, verifies and measures runs of a jostle world, and issues what lets people "
      "into one.",
      "jostle"};
  app.set_version_flag("--version", base::build_description());
  app.require_subcommand(1);
  std::vector<Command> commands;
  commands.push_back(add_record(app));
  commands.push_back(add_verify(app));
  commands.push_back(add_diff(app));
  commands.push_back(add_bisect(app));
  commands.push_back(add_trace(app));
  commands.push_back(add_info(app));
  commands.push_back(add_export(app));
  commands.push_back(add_bots(app));
  commands.push_back(add_bench(app));
  commands.push_back(add_check(app));
  commands.push_back(add_net(app));
  commands.push_back(add_snapshot_decoder(app));
  commands.push_back(add_load_bots(app));
  commands.push_back(add_load_noise(app));
  commands.push_back(add_token(app));
  commands.push_back(add_psk(app));
  commands.push_back(add_key(app));
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(is_named).empty()) {
    std::fprintf(stderr, "jostle: there is no command '%s' (see jostle --help)\n", argv[1]);
    return exit_bad_input;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "jostle: %s (see jostle --help)\n", error.what());
    return exit_bad_input;
  }
  base::set_log_threshold(base::LogLevel::Warn);
  const std::vector<CLI::App*> subcommands = app.get_subcommands([](CLI::App*) { return true; });
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (subcommands[i]->parsed()) return commands[i]();
  }
  return exit_bad_input;
}

}  // namespace
}  // namespace jostle::tools

int main(int argc, char** argv) {
  try {
    return jostle::tools::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jostle: %s\n", error.what());
    return jostle::tools::exit_differs;
  }
}
