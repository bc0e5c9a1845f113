#include "shared/base/log.h"
#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "shared/version/version_report.h"
#include "tools/commands.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

namespace jostle::tools {

int Failure::operator()(const std::string& words, int code) const {
  std::fprintf(stderr, "jostle %s: %s\n", command, words.c_str());
  return code;
}

namespace {

/// Adds all subcommands in the order in which --help lists them. Returns their functions in that
/// order.
std::vector<Command> add_all(command_line::App app) {
  return {
      add_record(app),    add_verify(app),     add_diff(app),     add_bisect(app),
      add_trace(app),     add_info(app),       add_export(app),   add_bots(app),
      add_bench(app),     add_check(app),      add_net(app),      add_snapshot_decoder(app),
      add_load_bots(app), add_load_noise(app), add_simulate(app), add_state(app),
      add_token(app),     add_psk(app),        add_key(app),
  };
}

int run(int argc, char** argv) {
  const base::ProgramNames names = base::program_names();
  command_line::Program app{names.tool,
                            "jostle records, verifies and measures runs of jostle worlds, and "
                            "creates keys and tokens for joining a server."};
  app.set_version(version::version_report("jostle"));
  app.require_subcommand();
  const std::vector<Command> commands = add_all(app);
  if (const auto ending = app.parse(argc, argv)) {
    if (ending->is_refused) {
      const std::string subcommand = ending->command.substr(names.tool.size());
      std::fprintf(stderr, "jostle%s: %s (see %s --help)\n", subcommand.c_str(),
                   ending->text.c_str(), ending->command.c_str());
      return exit_bad_input;
    }
    std::puts(ending->text.c_str());
    return exit_ok;
  }
  base::set_log_threshold(base::LogLevel::Warn);
  const std::vector<command_line::App> subcommands = app.subcommands();
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (subcommands[i].is_parsed()) return commands[i]();
  }
  return exit_bad_input;
}

/// Writes what is left of the output. Returns `code`, or an error if the output was not written
/// completely, for example because the disk is full.
int flush_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "jostle: cannot write to the standard output: %s\n", std::strerror(errno));
  return code == exit_ok ? exit_differs : code;
}

}  // namespace
}  // namespace jostle::tools

int main(int argc, char** argv) {
  try {
    return jostle::tools::flush_output(jostle::tools::run(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "jostle: out of memory\n");
    return jostle::tools::exit_bad_input;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jostle: %s\n", error.what());
    return jostle::tools::exit_differs;
  }
}
