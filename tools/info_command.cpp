#include "shared/base/counted.h"
#include "shared/base/printable.h"
#include "shared/command_line/command_line.h"
#include "tools/commands.h"
#include "tools/read_recording.h"

#include <cstdio>
#include <map>
#include <memory>
#include <string>

namespace jostle::tools {
namespace {

struct Contents {
  std::size_t ticks = 0, joins = 0, leaves = 0, inputs = 0, actions = 0, controls = 0, faults = 0;
};

Contents count(const record::Recording& recording) {
  Contents contents;
  for (const record::RecordedBlock& block : recording.blocks) {
    for (const record::RecordedTick& tick : block.ticks) {
      ++contents.ticks;
      contents.faults += tick.faults.size();
      for (const state::Command& command : tick.commands.commands) {
        if (std::holds_alternative<state::JoinCommand>(command)) ++contents.joins;
        if (std::holds_alternative<state::LeaveCommand>(command)) ++contents.leaves;
        if (std::holds_alternative<state::ControlCommand>(command)) ++contents.controls;
        if (const auto* input = std::get_if<state::InputCommand>(&command)) {
          ++contents.inputs;
          contents.actions += input->input.actions.size();
        }
      }
    }
  }
  return contents;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

int info(const std::string& path) {
  const auto recording = read_recording_file(path);
  if (!recording) return Failure{"info"}(recording.error());
  const record::RecordingHeader& header = recording->header;
  const Contents contents = count(*recording);
  const record::RecordedTick& first = recording->blocks.front().ticks.front();
  const record::RecordedTick& last = recording->blocks.back().ticks.back();
  const double seconds = static_cast<double>(contents.ticks) / header.tick_rate_hz;
  std::printf("scene       %s, hash %016llx\n", base::printable(header.scene_file).c_str(),
              static_cast<unsigned long long>(header.scene_hash));
  std::printf(
      "run         seed %llu, %u Hz, ticks %u to %u (%.1f s), %s\n",
      static_cast<unsigned long long>(header.seed), header.tick_rate_hz, first.commands.tick.number,
      last.commands.tick.number, seconds,
      recording->is_closed ? "closed" : "not closed: its program still writes it, or ended early");
  std::printf("last hash   %016llx\n", static_cast<unsigned long long>(last.hash.total));
  using base::counted;
  std::printf("states      %s, the first with %s\n",
              counted(recording->blocks.size(), "keyframe").c_str(),
              counted(recording->blocks.front().bodies_before.size(), "body").c_str());
  std::printf("commands    %s, %s, %s with %s, %s\n", counted(contents.joins, "join").c_str(),
              counted(contents.leaves, "leave").c_str(), counted(contents.inputs, "input").c_str(),
              counted(contents.actions, "action").c_str(),
              counted(contents.controls, "control").c_str());
  if (contents.faults > 0) std::printf("faults      %zu injected\n", contents.faults);
  std::printf("rules       %s\nrecorded by %s\n", base::printable(listed(header.rules)).c_str(),
              base::printable(header.program).c_str());
  return exit_ok;
}

}  // namespace

Command add_info(command_line::App app) {
  auto path = std::make_shared<std::string>();
  command_line::App command = app.add_subcommand("info", "Print the contents of a recording");
  command.add_option("file", *path, "The .jrec file").required().type_name("FILE");
  return [path] { return info(*path); };
}

}  // namespace jostle::tools
