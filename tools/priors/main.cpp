// jostle-priors: trains the static priors of the snapshot codecs 2 and 3.

#include "shared/base/log.h"
#include "shared/command_line/command_line.h"
#include "shared/net/system_io.h"
#include "shared/program_options/program_options.h"
#include "shared/scene_files/scene_files.h"
#include "shared/version/version_report.h"
#include "tools/priors/train.h"

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>

namespace jostle::priors {
namespace {

constexpr int exit_ok = 0, exit_failed = 1, exit_bad_input = 2;

struct Options {
  std::string scene = "katamari", output;
  int ticks = full_ticks;
};

int fail(const std::string& words, int code) {
  std::fprintf(stderr, "jostle-priors: %s\n", words.c_str());
  return code;
}

/// Returns an error message if the output file is a folder or its folder is missing, otherwise an
/// empty string. Called before the training, which takes minutes.
std::string output_fault(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return "cannot write '" + path + "': it is a folder";
  if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return {};
  return "cannot write '" + path + "': there is no folder '" + folder.string() + "'";
}

int train(const Options& options, Codec codec) {
  if (const auto fault = program_options::output_fault(
          {{"output", options.output}}, {{"the scene", scene::scene_path(options.scene)}});
      !fault.empty())
    return fail(fault, exit_bad_input);
  net::SystemIo io;
  const auto scene = scene::load_scene(io, options.scene);
  if (!scene) return fail(scene.error(), exit_bad_input);
  if (scene->spawns.empty())
    return fail("the scene has no spawn for the player: choose another scene", exit_bad_input);
  const std::string text = train_priors(*scene, codec, options.ticks);
  const auto written = io.write_file(options.output, std::as_bytes(std::span(text)));
  if (written) return exit_ok;
  return fail(
      "cannot write '" + options.output + "': " + std::string(net::describe(written.error())),
      exit_failed);
}

command_line::App add_training(command_line::App app, const char* name, const char* description,
                               Options& options) {
  command_line::App command = app.add_subcommand(name, description);
  command.add_option("scene", options.scene, "Name of a scene, or a .scene.json file").required();
  command.add_option("output", options.output, "The .inc file to write")
      .required()
      .check(output_fault);
  command
      .add_option("--ticks", options.ticks,
                  "Length of each run in ticks. Only the default reproduces the priors in the "
                  "repository")
      .check(command_line::in_range(least_ticks, 100'000))
      .capture_default_str();
  return command;
}

int run(int argc, char** argv) {
  command_line::Program app{
      "jostle-priors",
      "Trains the static priors of the snapshot codecs on runs of a scene "
      "(docs/WIRE_FORMAT.md).\nTraining is deterministic and takes some minutes."};
  app.set_version(version::version_report("jostle-priors"));
  app.require_subcommand();
  Options options;
  const command_line::App plain = add_training(
      app, "train", "Train the priors of codec 2 (protocol/context/priors.inc)", options);
  add_training(app, "train-predicted",
               "Train the priors of codec 3 (protocol/context/predicted_priors.inc)", options);
  if (const auto ending = app.parse(argc, argv)) {
    if (ending->is_refused) {
      std::fprintf(stderr, "%s: %s (see %s --help)\n", ending->command.c_str(),
                   ending->text.c_str(), ending->command.c_str());
      return exit_bad_input;
    }
    std::puts(ending->text.c_str());
    return exit_ok;
  }
  base::set_log_threshold(base::LogLevel::Warn);
  return train(options, plain.is_parsed() ? Codec::Plain : Codec::Predicted);
}

}  // namespace
}  // namespace jostle::priors

int main(int argc, char** argv) {
  return jostle::priors::run(argc, argv);
}
