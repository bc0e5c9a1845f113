#include "shared/net/system_io.h"
#include "shared/record/recording_reader.h"
#include "shared/record/replay.h"
#include "tools/commands.h"

#include <cstdio>
#include <memory>
#include <string>

namespace jostle::tools {
namespace {

int fail(const std::string& words) {
  std::fprintf(stderr, "jostle verify: %s\n", words.c_str());
  return exit_bad_input;
}

int verify(const std::string& path) {
  net::RealIo io;
  const auto bytes = io.read_file(path, record::max_recording_bytes);
  if (!bytes) return fail("'" + path + "': " + std::string(net::describe(bytes.error())));
  const auto recording = record::read_recording(*bytes);
  if (!recording) return fail("'" + path + "' " + recording.error().text());
  auto simulation = record::start_replay(*recording);
  if (!simulation) return fail("'" + path + "': " + simulation.error());
  if (!recording->is_closed) {
    std::fprintf(stderr,
                 "jostle verify: '%s' was not closed: its writer died; what it holds is checked\n",
                 path.c_str());
  }

  const record::VerifyReport report = record::verify(*recording, **simulation);
  if (report.divergence) {
    std::printf(
        "%s: diverged in tick %u: recorded %016llx, replayed %016llx; %llu ticks before it "
        "agree (recorded by %s)\n",
        path.c_str(), report.divergence->tick.number,
        static_cast<unsigned long long>(report.divergence->recorded),
        static_cast<unsigned long long>(report.divergence->replayed),
        static_cast<unsigned long long>(report.ticks), recording->header.program.c_str());
    return exit_differs;
  }
  std::printf("%s: %llu ticks agree, hash %016llx\n", path.c_str(),
              static_cast<unsigned long long>(report.ticks),
              static_cast<unsigned long long>(report.last_hash));
  return exit_ok;
}

}  // namespace

Command add_verify(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "verify", "Replay a recording and compare every hash (exit 0 same, 1 diverged, 2 bad file)");
  command->add_option("file", *path, "The .jrec file")->required();
  return [path] { return verify(*path); };
}

}  // namespace jostle::tools
