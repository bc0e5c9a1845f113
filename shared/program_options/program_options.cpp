#include "shared/program_options/program_options.h"

#include "shared/base/counted.h"
#include "shared/base/file_name.h"
#include "shared/base/parse_number.h"
#include "shared/base/printable.h"
#include "shared/base/program_names.h"
#include "shared/command_line/suggestion.h"
#include "shared/net/network_conditions.h"
#include "shared/net/system_io.h"
#include "shared/record/timed_fault.h"
#include "shared/rollback/rollback_check.h"
#include "shared/state/tick.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace jostle::program_options {
namespace {

constexpr int min_rate_kbps = 64, max_rate_kbps = 10'000'000;
constexpr int max_snapshot_interval_ticks = 10;

command_line::Check is_rate() {
  const std::string range = "a number from " + std::to_string(min_rate_kbps) + " to " +
                            std::to_string(max_rate_kbps) + " kbit/s";
  const auto fault = [range](const std::string& text) {
    const auto rate = base::parse_number<int>(text);
    const bool is_valid =
        rate && (*rate == 0 || (*rate >= min_rate_kbps && *rate <= max_rate_kbps));
    return is_valid ? std::string() : "'" + text + "' is neither 0 nor " + range;
  };
  return {fault, "0 or " + range};
}

const std::string sync_test_help =
    "Every tick, roll back this many ticks, simulate them again and compare the hashes";

namespace fs = std::filesystem;

/// Returns the absolute path that opening `path` for writing leads to. Follows symbolic links, also
/// if the file at their end does not exist yet.
fs::path resolved(const std::string& path) {
  constexpr int max_links = 40;  // limit of Linux for one path
  std::error_code ignored;
  fs::path file = fs::absolute(path, ignored);
  for (int i = 0; i < max_links && fs::is_symlink(file, ignored); ++i)
    file = file.parent_path() / fs::read_symlink(file, ignored);
  return fs::weakly_canonical(file, ignored);
}

/// Returns true if writing to `output` changes `other`: both are the same file, or `other` is the
/// folder of `output`.
bool overlap(const std::string& output, const std::string& other) {
  if (output.empty() || other.empty()) return false;
  std::error_code ignored;
  const fs::file_status status = fs::status(output, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  return resolved(output) == resolved(other) || fs::equivalent(output, other, ignored) ||
         (fs::is_directory(other, ignored) &&
          fs::equivalent(resolved(output).parent_path(), other, ignored));
}

/// Returns the ending of a path that belongs to a JSON file, a recording or a picture, or an empty
/// string.
std::string ending_of_other_kind(const std::string& path) {
  for (const char* const ending : {".json", ".jrec", ".png"})
    if (base::has_ending(path, ending)) return ending;
  return {};
}

}  // namespace

command_line::Option add_seed(command_line::App app, std::uint64_t& seed, const std::string& help) {
  return app.add_option("--seed", seed, help)
      .check(command_line::is_uint64())
      .type_name("N")
      .capture_default_str();
}

void add_tick_rate(command_line::App app, int& tick_rate_hz, const std::string& help) {
  app.add_option("--hz", tick_rate_hz, help)
      .check(command_line::in_range(state::min_tick_rate_hz, state::max_tick_rate_hz))
      .type_name("HZ")
      .capture_default_str();
}

void add_snapshot_interval(command_line::App app, int& ticks) {
  app.add_option("--snapshot-interval", ticks, "Number of ticks between two snapshots")
      .check(command_line::in_range(1, max_snapshot_interval_ticks))
      .type_name("TICKS")
      .capture_default_str();
}

command_line::Option add_net_sim(command_line::App app, std::string& network,
                                 const std::string& help) {
  return app
      .add_option(
          "--net-sim", network,
          help + ": LATENCY/JITTER/LOSS% each way, times in ms, or " + net::net_profile_names() +
              "; after it, separated by commas, settings of both directions or, with the prefix "
              "up. or down., of one: " +
              net::net_sim_settings())
      .check([](const std::string& text) {
        const std::string fault = net::net_sim_fault(text);
        return fault.empty()
                   ? fault
                   : fault + command_line::suggestion(
                                 text, command_line::split_words(net::net_profile_names(), ", "));
      })
      .type_name("NETWORK");
}

void add_max_rate(command_line::App app, int& kbps, const std::string& help) {
  app.add_option("--max-rate", kbps, help).check(is_rate()).type_name("KBPS").capture_default_str();
}

void add_profile(command_line::App app, protocol::Profile& profile, const std::string& help) {
  static constexpr const auto& names = protocol::profile_names;
  app.add_text(
         "--profile",
         [&profile](const std::string& name) {
           profile = static_cast<protocol::Profile>(std::find(names.begin(), names.end(), name) -
                                                    names.begin());
         },
         help)
      .check(command_line::one_of(std::vector<std::string>(names.begin(), names.end())))
      .type_name("PROFILE")
      .default_str(std::string(names[static_cast<std::size_t>(profile)]));
}

std::string recording_fault(const std::string& path) {
  if (base::has_ending(path, ".jrec")) return {};
  return "'" + path + "' does not end with .jrec; did you mean '" + path + ".jrec'?";
}

std::string log_fault(const std::string& path) {
  const std::string ending = ending_of_other_kind(path);
  return ending.empty() ? ending
                        : "'" + path + "' ends with " + ending +
                              ", but a log is plain text; did you mean '" + path + ".txt'?";
}

std::string rewritten_file_fault(const std::string& path, const std::string& content) {
  const std::string ending = ending_of_other_kind(path);
  return ending.empty() ? ending
                        : "'" + path + "' ends with " + ending + ", but this file holds " +
                              content + "; choose another file";
}

std::string describe_written(const std::string& path, const std::string& content) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) return {};
  return base::printable(path) + ": " + content + ", " + base::counted(bytes, "byte");
}

std::string output_fault(const std::vector<NamedFile>& outputs,
                         const std::vector<NamedFile>& inputs) {
  for (const NamedFile& input : inputs) {
    std::error_code ignored;
    if (!input.may_be_folder && fs::is_directory(input.path, ignored))
      return input.name + ": '" + input.path + "' is a folder, not a file";
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::vector<NamedFile> others = inputs;
    others.insert(others.end(), outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(i));
    for (const NamedFile& other : others) {
      if (overlap(outputs[i].path, other.path))
        return outputs[i].name + ": '" + outputs[i].path + "' would overwrite a file of " +
               other.name + "; choose another file";
    }
  }
  return {};
}

void add_faults(command_line::App app, std::vector<std::string>& faults,
                const std::string& more_help) {
  app.add_option("--inject", faults,
                 "Inject a fault: flip the lowest bit of a number of a body after a tick, such as "
                 "ulp:1841:37:linear_velocity.y" +
                     more_help)
      .check(record::why_no_fault)
      .type_name("ulp:TICK:BODY:FIELD");
}

void add_sync_test(command_line::App app, std::uint32_t& ticks, const std::string& more_help) {
  app.add_option("--sync-test", ticks, sync_test_help + more_help + "; 0: off")
      .check(command_line::in_range(0, rollback::RollbackCheck::max_ticks))
      .type_name("TICKS")
      .capture_default_str();
}

void add_optional_sync_test(command_line::App app, std::uint32_t& ticks) {
  app.add_option("--sync-test", ticks, sync_test_help)
      .check(command_line::in_range(1, rollback::RollbackCheck::max_ticks))
      .type_name("TICKS");
}

void add_on_desync(command_line::App app, bool& stops_on_desync, const std::string& help) {
  app.add_text(
         "--on-desync",
         [&stops_on_desync](const std::string& word) { stops_on_desync = word == "stop"; }, help)
      .check(command_line::one_of({"continue", "stop"}))
      .default_str("continue");
}

std::string unwritable_folder_fault(const std::string& path) {
  std::error_code ignored;
  fs::path folder = fs::absolute(path, ignored);
  while (folder.has_relative_path() && !fs::exists(folder, ignored))
    folder = folder.parent_path();
  const auto writable = net::SystemIo().check_writable((folder / ".jostle").string());
  return writable ? std::string()
                  : "cannot write to folder '" + folder.string() +
                        "': " + std::string(net::describe(writable.error()));
}

void add_record_folder(command_line::App app, std::string& folder, const std::string& help) {
  app.add_option("--record-folder", folder, help)
      .check(command_line::is_folder_or_new())
      .check(unwritable_folder_fault)
      .type_name("DIR")
      .capture_default_str();
}

std::string default_record_folder_fault(const std::string& folder) {
  std::string fault = command_line::folder_or_new_fault(folder);
  if (fault.empty()) fault = unwritable_folder_fault(folder);
  return fault.empty()
             ? fault
             : "--record-folder: " + fault + "; choose another folder with --record-folder";
}

void add_client_access(command_line::App app, keyring::ClientAccessOptions& access,
                       const std::string& more_token_help) {
  app.add_option(
         "--token", access.token,
         "Join with this token, or with the one in a file: @FILE. The variable JOSTLE_TOKEN does "
         "the same and is not visible in the process list" +
             more_token_help)
      .check(keyring::token_fault)
      .type_name("TOKEN");
  app.add_option("--psk", access.psk_path, "Join with the shared key in this file")
      .type_name("FILE");
  app.add_option("--key", access.key_path,
                 "Identify with the key in this file, from `" + base::program_names().tool +
                     " key new`, for a token that is issued to that key")
      .type_name("FILE");
  app.add_option(
         "--known-servers", access.known_path,
         "Store and check server keys in this file. The default file, "
         "~/.config/jostle/known_servers, does not hold servers on this machine; a file given here "
         "does")
      .check(command_line::is_file_or_new())
      .check([](const std::string& path) {
        return rewritten_file_fault(path, "the keys of servers, as plain text");
      })
      .type_name("FILE");
}

}  // namespace jostle::program_options
