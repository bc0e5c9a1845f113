#include "shared/command_line/command_line.h"
#include "shared/command_line/suggestion.h"
#include "shared/net/system_io.h"
#include "shared/program_options/program_options.h"
#include "shared/scene_files/scene_files.h"
#include "tools/bench/json_object.h"
#include "tools/commands.h"
#include "tools/snapshots/decoder.h"
#include "tools/snapshots/katamari_frames.h"
#include "tools/snapshots/measure_profiles.h"
#include "tools/snapshots/measure_snapshots.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

constexpr std::size_t max_frames = 100'000;

struct SnapshotBench {
  std::string frames_path, write_path, scene = "katamari", activity = "mid", profile = "visual";
  std::optional<std::string> codec;
  std::uint64_t seed = 1;
  std::size_t frames = 2'838;
  snapshots::SnapshotOptions measure;
  bool as_json = false;
};

constexpr Failure fail{"bench snapshots"};

base::Result<snapshots::FrameSet, std::string> read_frames(net::Io& io, const std::string& path) {
  const auto bytes =
      io.read_file(path, max_frames * snapshots::bodies_per_frame * 8 * sizeof(std::int32_t));
  if (!bytes) return "'" + path + "': " + std::string(net::describe(bytes.error()));
  auto set = snapshots::parse_frames(*bytes);
  if (!set) return "'" + path + "' " + set.error();
  return set;
}

template <class Names>
std::size_t index_of(const Names& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

base::Result<snapshots::FrameSet, std::string> make_frames(const scene::SceneDef& scene,
                                                           const SnapshotBench& options) {
  const auto activity =
      static_cast<snapshots::Activity>(index_of(snapshots::activity_names, options.activity));
  return options.profile == "visual"
             ? snapshots::play(scene, options.seed, activity, options.frames)
             : snapshots::play_with_states(scene, options.seed, activity, options.frames);
}

std::string to_text(const SnapshotBench& options, const snapshots::SnapshotFigures& figures) {
  std::array<char, 600> text{};
  std::snprintf(
      text.data(), text.size(),
      "%s, age %u: %zu frames, %.1f bodies changed\n"
      "  payload %.1f bytes a frame in %.2f parts, on the wire %.1f: %.0f kbit/s at 60 Hz\n"
      "  CPU: encode %.0f us, p99 %.0f; decode %.0f us, p99 %.0f; prediction "
      "baseline %.0f us, p99 %.0f\n"
      "  of %zu frames with 80 to 100 changed bodies: encode %.0f us, decode %.0f, "
      "prediction baseline %.0f\n",
      options.measure.codec.c_str(), options.measure.age, figures.frames, figures.changed_bodies,
      figures.payload_bytes, figures.parts, figures.wire_bytes, figures.wire_bytes * 8 * 60 * 1e-3,
      figures.encode_median_us, figures.encode_p99_us, figures.decode_median_us,
      figures.decode_p99_us, figures.prediction_baseline_median_us,
      figures.prediction_baseline_p99_us, figures.busy_frames, figures.busy_encode_median_us,
      figures.busy_decode_median_us, figures.busy_prediction_baseline_median_us);
  return text.data();
}

std::string to_json(const SnapshotBench& options, const snapshots::SnapshotFigures& figures) {
  bench::JsonObject json(6);
  json.add("codec", options.measure.codec);
  if (options.frames_path.empty()) {
    json.add("scene", options.scene);
    json.add("seed", static_cast<long long>(options.seed));
    json.add("activity", options.activity);
  } else {
    json.add("frames_file", options.frames_path);
  }
  json.add("age", static_cast<long long>(options.measure.age));
  json.add("frames", static_cast<long long>(figures.frames));
  json.add("changed_bodies", figures.changed_bodies);
  json.add("payload_bytes_per_frame", figures.payload_bytes);
  json.add("wire_bytes_per_frame", figures.wire_bytes);
  json.add("parts_per_frame", figures.parts);
  json.add("encode_median_us", figures.encode_median_us);
  json.add("encode_p99_us", figures.encode_p99_us);
  json.add("decode_median_us", figures.decode_median_us);
  json.add("decode_p99_us", figures.decode_p99_us);
  json.add("foresight_median_us", figures.prediction_baseline_median_us);
  json.add("foresight_p99_us", figures.prediction_baseline_p99_us);
  json.add("busy_frames", static_cast<long long>(figures.busy_frames));
  json.add("busy_encode_median_us", figures.busy_encode_median_us);
  json.add("busy_decode_median_us", figures.busy_decode_median_us);
  json.add("busy_foresight_median_us", figures.busy_prediction_baseline_median_us);
  return json.finish() + "\n";
}

/// Measures profile `fine` or `lossless`, prints the results and returns the exit code.
int run_profile(const snapshots::FrameSet& set, const SnapshotBench& options) {
  if (options.codec.value_or("v1") != "v1") {
    return fail("codec '" + *options.codec +
                    "' supports only profile visual; profiles fine and lossless need codec v1",
                exit_bad_input);
  }
  if (set.states.empty())
    return fail("--frames: a file of frames supports only profile visual", exit_bad_input);
  const auto profile =
      static_cast<protocol::Profile>(index_of(protocol::profile_names, options.profile));
  const auto figures = snapshots::measure_profile(set, profile, options.measure.age);
  if (!figures) return fail(figures.error(), exit_differs);
  bench::JsonObject json(6);
  json.add("profile", options.profile);
  json.add("scene", options.scene);
  json.add("seed", static_cast<long long>(options.seed));
  json.add("activity", options.activity);
  json.add("age", static_cast<long long>(options.measure.age));
  json.add("frames", static_cast<long long>(figures->frames));
  json.add("raw_bytes_per_frame", figures->raw_bytes);
  json.add("payload_bytes_per_frame", figures->bytes);
  json.add("encode_median_us", figures->encode_median_us);
  json.add("decode_median_us", figures->decode_median_us);
  const std::string line = json.finish();
  if (options.as_json) {
    std::printf("%s\n", line.c_str());
  } else {
    std::printf(
        "%s, age %u: %zu frames\n  payload %.1f bytes a frame, uncompressed %.0f\n"
        "  CPU: encode %.0f us, decode %.0f us\n",
        options.profile.c_str(), options.measure.age, figures->frames, figures->bytes,
        figures->raw_bytes, figures->encode_median_us, figures->decode_median_us);
  }
  return exit_ok;
}

int run_snapshots(SnapshotBench options) {
  net::SystemIo io;
  const bool is_file = !options.frames_path.empty();
  if (const auto fault = program_options::output_fault(
          {{"--write", options.write_path}},
          {{"--scene", scene::scene_path(options.scene)}, {"--frames", options.frames_path}});
      !fault.empty())
    return fail(fault, exit_bad_input);
  const auto scene = scene::load_scene(io, options.scene);
  if (!scene) return fail(scene.error(), exit_bad_input);
  const auto set = is_file ? read_frames(io, options.frames_path) : make_frames(*scene, options);
  if (!set) return fail(set.error(), exit_bad_input);
  if (!options.write_path.empty()) {
    const auto written = io.write_file(options.write_path, snapshots::write_frames(*set));
    if (!written) {
      return fail("--write: cannot write '" + options.write_path +
                      "': " + std::string(net::describe(written.error())),
                  exit_bad_input);
    }
  }
  if (options.profile != "visual") return run_profile(*set, options);
  options.measure.codec = options.codec.value_or("v2");
  options.measure.program = "/proc/self/exe";
  options.measure.scene = options.scene;
  const auto figures = snapshots::measure_snapshots(*set, &*scene, options.measure);
  if (!figures) return fail(figures.error(), exit_differs);
  const std::string text =
      options.as_json ? to_json(options, *figures) : to_text(options, *figures);
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

std::string codec_fault(const std::string& name) {
  return command_line::word_fault(name, command_line::split_words(snapshots::codec_names, "|"));
}

int run_decoder(const std::string& codec, const std::string& scene_name) {
  net::SystemIo io;
  const auto scene = scene::load_scene(io, scene_name);
  if (!scene) return fail(scene.error(), exit_bad_input);
  return snapshots::serve_decoder(STDIN_FILENO, STDOUT_FILENO,
                                  *snapshots::make_codec(codec, &*scene));
}

}  // namespace

Command add_snapshot_bench(command_line::App bench) {
  auto options = std::make_shared<SnapshotBench>();
  command_line::App command = bench.add_subcommand(
      "snapshots",
      "Encode and decode the frames of 901 cubes, and print bytes and times (docs/BENCHMARKS.md)");
  command_line::Option frames =
      command.add_option("--frames", options->frames_path,
                         "Read frames from this file: eight int32 for each of 901 bodies");
  command
      .add_option("--scene", options->scene, "Scene in which a scripted player produces the frames")
      .excludes(frames)
      .capture_default_str();
  program_options::add_seed(command, options->seed, "Seed of the player's input").excludes(frames);
  const auto& names = snapshots::activity_names;
  command.add_option("--activity", options->activity, "Strength of the player's push on the cubes")
      .excludes(frames)
      .check(command_line::one_of(std::vector<std::string>(names.begin(), names.end())))
      .capture_default_str();
  command.add_option("--count", options->frames, "Number of frames")
      .excludes(frames)
      .check(command_line::in_range(std::size_t{1}, max_frames))
      .capture_default_str();
  command
      .add_text(
          "--codec", [options = options.get()](const std::string& name) { options->codec = name; },
          "Codec to measure; default: v2, for profiles fine and lossless v1")
      .check(codec_fault)
      .type_name(std::string(snapshots::codec_names));
  const auto& profiles = protocol::profile_names;
  command.add_option("--profile", options->profile, "Precision of the snapshots")
      .check(command_line::one_of(std::vector<std::string>(profiles.begin(), profiles.end())))
      .capture_default_str();
  command
      .add_option("--age", options->measure.age,
                  "Number of frames from the baseline to the encoded frame")
      .check(command_line::in_range(1, 120))
      .capture_default_str();
  command.add_option("--write", options->write_path, "Write the frames to this file");
  command.add_flag("--json", options->as_json, "Print one line of JSON");
  return [options] { return run_snapshots(*options); };
}

Command add_snapshot_decoder(command_line::App app) {
  auto codec = std::make_shared<std::string>();
  auto scene = std::make_shared<std::string>("katamari");
  command_line::App command =
      app.add_subcommand("snapshot-decoder", "Decode the frames of `bench snapshots`");
  command.group("");  // internal: hidden from --help
  command.add_option("codec", *codec).required().check(codec_fault);
  command.add_option("scene", *scene);
  return [codec, scene] { return run_decoder(*codec, *scene); };
}

}  // namespace jostle::tools
