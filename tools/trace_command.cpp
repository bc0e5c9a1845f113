#include "shared/bisect/trace.h"
#include "shared/bisect/trace_lines.h"
#include "shared/command_line/command_line.h"
#include "shared/command_line/suggestion.h"
#include "tools/commands.h"
#include "tools/read_recording.h"

#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>

namespace jostle::tools {
namespace {

struct TraceOptions {
  std::string path;
  bisect::TraceRequest request;
};

constexpr std::int64_t least_tick = 1, most_tick = std::numeric_limits<std::uint32_t>::max();

/// Returns the accepted names of --stage: "prepare, ..., end".
std::string stage_names() {
  std::string names;
  for (const physics::Stage stage : bisect::traced_stages())
    names += std::string(physics::name_of(stage)) + ", ";
  return names + bisect::end_of_tick;
}

constexpr Failure fail{"trace"};

int trace(const TraceOptions& options) {
  const auto recording = read_recording_file(options.path);
  if (!recording) return fail(recording.error());
  const auto done = bisect::trace(*recording, options.path, sim::default_rules, options.request,
                                  [](const std::string& line) {
                                    std::printf("%s\n", line.c_str());
                                    return true;
                                  });
  return done ? exit_ok : fail(done.error());
}

}  // namespace

Command add_trace(command_line::App app) {
  auto options = std::make_shared<TraceOptions>();
  command_line::App command = app.add_subcommand("trace",
                                                 "Replay a recording and print the hash of each "
                                                 "tick, or the hashes or numbers within one tick");
  command.add_option("file", options->path, "The .jrec file").required().type_name("FILE");
  command_line::Option stages =
      command
          .add_option("--stages", options->request.stages_of,
                      "Print the hash of the world after each stage of this tick")
          .check(command_line::in_range(least_tick, most_tick))
          .type_name("TICK");
  command_line::Option stage =
      command
          .add_option("--stage", options->request.stage,
                      "With --numbers: the stage of the tick, one of " + stage_names() +
                          "; end: after the last stage")
          .check([](const std::string& name) {
            return command_line::word_fault(name, command_line::split_words(stage_names(), ", "));
          })
          .type_name("NAME");
  command_line::Option numbers =
      command
          .add_option("--numbers", options->request.numbers_of,
                      "Print every number of the state after --stage of this tick")
          .check(command_line::in_range(least_tick, most_tick))
          .excludes(stages)
          .needs(stage)
          .type_name("TICK");
  stage.needs(numbers);
  command
      .add_option("--from", options->request.from,
                  "Start at this tick, which must directly follow a keyframe")
      .check(command_line::in_range(least_tick, most_tick))
      .type_name("TICK");
  return [options] { return trace(*options); };
}

}  // namespace jostle::tools
