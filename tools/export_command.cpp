#include "shared/base/counted.h"
#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "shared/program_options/program_options.h"
#include "shared/record/replay.h"
#include "tools/commands.h"
#include "tools/gltf/gltf_animation.h"
#include "tools/new_file.h"
#include "tools/read_recording.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

namespace jostle::tools {
namespace {

struct ExportOptions {
  std::string path, csv, gltf;
  std::uint32_t every = 1;
};

constexpr Failure fail{"export"};

/// Appends a comma and the shortest decimal number that reads back to the same bits.
template <typename Number>
void add(std::string& row, Number value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  row += ',';
  row.append(text.data(), end);
}

template <typename Vector>
void add_vector(std::string& row, const Vector& v) {
  add(row, v.x);
  add(row, v.y);
  add(row, v.z);
}

/// Quotes a field of a CSV file (RFC 4180).
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char letter : name)
    text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return text + "\"";
}

constexpr const char* csv_head =
    "tick,seconds,body,name,position_x,position_y,position_z,rotation_x,rotation_y,rotation_z,"
    "rotation_w,velocity_x,velocity_y,velocity_z,angular_velocity_x,angular_velocity_y,"
    "angular_velocity_z,is_awake\r\n";

/// Returns one row for each body, with its state after the tick.
std::string csv_rows(const sim::Simulation& simulation) {
  const physics::World& world = simulation.world();
  std::string rows;
  for (const state::BodyInfo& body : simulation.world_def().bodies) {
    const physics::BodyHandle handle = *simulation.find_body(body.id);
    const math::Pose pose = world.pose(handle);
    std::string row = std::to_string(simulation.tick().number);
    add(row, static_cast<double>(simulation.tick().number) / simulation.options().tick_rate_hz);
    add(row, body.id.value);
    row += "," + quoted(body.name);
    add_vector(row, pose.position);
    add_vector(row, pose.rotation);
    add(row, pose.rotation.w);
    add_vector(row, world.linear_velocity(handle));
    add_vector(row, world.angular_velocity(handle));
    row += world.is_awake(handle) ? ",1\r\n" : ",0\r\n";
    rows += row;
  }
  return rows;
}

using EachTick = std::function<void(const sim::Simulation&)>;

/// Replays the recording and calls `each_tick` for every tick whose number is a multiple of
/// --every. Returns exit_ok. Prints an error and returns another exit code if the recording cannot
/// be replayed or a hash differs.
int replay(const ExportOptions& options, const EachTick& each_tick) {
  const auto opened = open_replay(options.path);
  if (!opened) return fail(opened.error());
  sim::Simulation& simulation = *opened->simulation;
  for (const record::RecordedBlock& block : opened->recording.blocks) {
    for (const record::RecordedTick& recorded : block.ticks) {
      record::replay_tick(recorded, simulation);
      if (record::tick_hash_of(simulation.hash()) != recorded.hash) {
        return fail("'" + options.path + "': this build computes another state in tick " +
                        std::to_string(recorded.commands.tick.number) +
                        " than the recording contains (see " + base::program_names().tool +
                        " verify)",
                    exit_differs);
      }
      if (recorded.commands.tick.number % options.every == 0) each_tick(simulation);
    }
  }
  return exit_ok;
}

/// Prints the name, content and size of a file. Prints nothing for streams: the exported data may
/// go to the same terminal or pipe as this line.
void report_written(const NewFile& file, const std::string& path, const std::string& content) {
  if (file.is_stream()) return;
  const std::string words = program_options::describe_written(path, content);
  if (!words.empty()) std::printf("exported %s\n", words.c_str());
}

int export_run(const ExportOptions& options) {
  if (options.csv.empty() && options.gltf.empty())
    return fail("nothing to write: give --csv OUT, --gltf OUT or both");
  if (const auto fault = program_options::output_fault(
          {{"--csv", options.csv}, {"--gltf", options.gltf}}, {{"the recording", options.path}});
      !fault.empty())
    return fail(fault);
  std::optional<NewFile> table, picture_file;
  gltf::GltfAnimation picture;
  // Open the files before the replay, which may take long.
  if (!options.csv.empty()) {
    table.emplace(options.csv);
    if (table->error()) return fail(cannot_write("--csv", options.csv, table->error()));
    table->write(csv_head);
  }
  if (!options.gltf.empty()) {
    picture_file.emplace(options.gltf);
    if (picture_file->error())
      return fail(cannot_write("--gltf", options.gltf, picture_file->error()));
  }
  std::size_t ticks = 0;
  const int code = replay(options, [&](const sim::Simulation& now) {
    ++ticks;
    if (table) table->write(csv_rows(now));
    if (picture_file) picture.add(now);
  });
  if (code != exit_ok) return code;
  if (ticks == 0)
    return fail("--every: '" + options.path + "' has no tick that is a multiple of " +
                std::to_string(options.every));
  if (picture_file) picture_file->write(picture.text(options.gltf.ends_with(".glb")));
  if (const auto error = table ? table->finish() : std::error_code())
    return fail(cannot_write("--csv", options.csv, error), exit_differs);
  if (const auto error = picture_file ? picture_file->finish() : std::error_code())
    return fail(cannot_write("--gltf", options.gltf, error), exit_differs);
  if (table) report_written(*table, options.csv, base::counted(ticks, "tick"));
  if (picture_file)
    report_written(*picture_file, options.gltf, base::counted(picture.frames(), "frame"));
  return exit_ok;
}

/// Returns an error message if the name does not end in .glb or .gltf, and an empty string
/// otherwise.
std::string gltf_fault(const std::string& path) {
  return path.ends_with(".glb") || path.ends_with(".gltf")
             ? std::string()
             : "'" + path + "' must end in .glb or .gltf";
}

}  // namespace

Command add_export(command_line::App app) {
  auto options = std::make_shared<ExportOptions>();
  command_line::App command = app.add_subcommand(
      "export", "Write the poses of all bodies in each tick of a recording, for other programs");
  command.add_option("file", options->path, "The .jrec file").required().type_name("FILE");
  command
      .add_option("--csv", options->csv,
                  "Write a table to this file, with a row for each body and tick")
      .type_name("OUT");
  command
      .add_option(
          "--gltf", options->gltf,
          "Write an animation to this file, as glTF 2.0: OUT.glb is binary, OUT.gltf is JSON")
      .check(gltf_fault)
      .type_name("OUT");
  command
      .add_option("--every", options->every, "Write only ticks that are multiples of this number")
      .check(command_line::in_range(1, 1'000'000))
      .type_name("TICKS")
      .capture_default_str();
  return [options] { return export_run(*options); };
}

}  // namespace jostle::tools
