#include "api/server/recording_traces.h"

#include "api/base/error.h"
#include "api/server/recording_host.h"
#include "shared/base/parse_number.h"
#include "shared/bisect/bisect.h"
#include "shared/bisect/difference_text.h"
#include "shared/bisect/trace.h"
#include "shared/bisect/trace_lines.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

namespace jostle::api {
namespace {

constexpr const char* trace_usage =
    "accepted: --from TICK, --stages TICK, --numbers TICK with --stage NAME";

std::uint32_t tick_of(const std::string& option, const std::string& text) {
  const auto tick = base::parse_number<std::uint32_t>(text);
  if (!tick || *tick == 0)
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s is '%s'; accepted: numbers of ticks from 1",
           option.c_str(), text.c_str());
  return *tick;
}

std::string stage_of(const std::string& text) {
  std::string names;
  for (const physics::Stage stage : bisect::traced_stages()) {
    if (physics::name_of(stage) == text) return text;
    names += std::string(physics::name_of(stage)) + ", ";
  }
  if (text != bisect::end_of_tick)
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "--stage is '%s'; accepted: %s%s", text.c_str(),
           names.c_str(), bisect::end_of_tick);
  return text;
}

bisect::TraceRequest request_of(const std::vector<std::string>& options) {
  bisect::TraceRequest request;
  if (options.size() % 2 != 0)
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "an option has no value; %s", trace_usage);
  for (std::size_t i = 0; i < options.size(); i += 2) {
    const std::string &option = options[i], &value = options[i + 1];
    if (option == "--from") {
      request.from = tick_of(option, value);
    } else if (option == "--stages") {
      request.stages_of = tick_of(option, value);
    } else if (option == "--numbers") {
      request.numbers_of = tick_of(option, value);
    } else if (option == "--stage") {
      request.stage = stage_of(value);
    } else {
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "unknown option '%s'; %s", option.c_str(), trace_usage);
    }
  }
  if ((request.numbers_of != 0) == request.stage.empty() ||
      (request.numbers_of != 0 && request.stages_of != 0))
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
           "--numbers and --stage belong together, and --stages excludes them; %s", trace_usage);
  return request;
}

/// Writes to the standard output alone. While it exists, what rules print goes to the standard
/// error, so that the reader of a trace gets only its lines.
class TraceOutput {
 public:
  TraceOutput() {
    std::fflush(stdout);
    const int lines = ::dup(STDOUT_FILENO);
    saved_ = ::dup(STDOUT_FILENO);
    if (lines >= 0) lines_ = ::fdopen(lines, "w");
    if (lines_ == nullptr || saved_ < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      refuse(JOSTLE_ERROR_WRONG_STATE, "the standard output cannot be redirected");
  }
  ~TraceOutput() {
    std::fflush(stdout);
    ::dup2(saved_, STDOUT_FILENO);
    ::close(saved_);
    std::fclose(lines_);
  }
  TraceOutput(const TraceOutput&) = delete;
  TraceOutput& operator=(const TraceOutput&) = delete;

  /// Returns false if the reader has closed the pipe.
  bool put(const std::string& line) { return std::fprintf(lines_, "%s\n", line.c_str()) > 0; }

 private:
  int saved_ = -1;
  std::FILE* lines_ = nullptr;
};

}  // namespace

void trace_recording(const char* path, const std::vector<std::string>& options,
                     const jostle_rule_def* rules, std::size_t rule_count) {
  const bisect::TraceRequest request = request_of(options);
  const record::Recording recording = read_recording_file(path, "path");
  TraceOutput output;
  const auto done = bisect::trace(recording, path, rule_factory(checked_rules(rules, rule_count)),
                                  request, [&](const std::string& line) {
                                    after_replayed_tick();
                                    return output.put(line);
                                  });
  if (!done) refuse_text(JOSTLE_ERROR_INVALID_DATA, done.error().c_str());
}

bool bisect_recording(const char* path, std::vector<std::string> command,
                      const jostle_rule_def* rules, std::size_t rule_count) {
  const record::Recording recording = read_recording_file(path, "path");
  const std::string name = "the other program '" + command.front() + "'";
  command.emplace_back("trace");
  const auto finding =
      bisect::bisect(recording, {path, std::move(command), name, bisect::default_numbers},
                     rule_factory(checked_rules(rules, rule_count)));
  if (!finding) refuse_text(JOSTLE_ERROR_INVALID_DATA, finding.error().c_str());
  std::fputs(finding->text.c_str(), stdout);
  return finding->is_same;
}

}  // namespace jostle::api
