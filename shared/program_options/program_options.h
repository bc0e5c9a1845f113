#pragma once

#include "protocol/messages.h"
#include "shared/command_line/command_line.h"
#include "shared/keyring/client_access.h"

#include <cstdint>
#include <string>
#include <vector>

/// Options that several programs have: their names, accepted values and placeholders. Each function
/// adds an option that writes to a variable, which must outlive the parsing. `help` is the help
/// text; `more_help` is appended to the common help text.
namespace jostle::program_options {

/// Adds --seed, a whole number from 0 to 2^64 − 1.
command_line::Option add_seed(command_line::App app, std::uint64_t& seed, const std::string& help);
/// Adds --hz.
void add_tick_rate(command_line::App app, int& tick_rate_hz,
                   const std::string& help = "Ticks per second");
/// Adds --snapshot-interval.
void add_snapshot_interval(command_line::App app, int& ticks);

/// Adds --net-sim, in the format of net::parse_net_sim. The common help text describes the format.
command_line::Option add_net_sim(command_line::App app, std::string& network,
                                 const std::string& help);
/// Adds --max-rate: 0 for no limit, or a rate from 64 kbit/s
/// (server::min_requested_bytes_per_second) to 10 Gbit/s.
void add_max_rate(command_line::App app, int& kbps, const std::string& help);
/// Adds --profile, the precision of snapshots.
void add_profile(command_line::App app, protocol::Profile& profile, const std::string& help);

/// Returns an error message if `path` does not end with .jrec; otherwise an empty string. The
/// ending is required because jostle-view recognises recordings by it, and so that a wrong path
/// cannot replace a scene file.
std::string recording_fault(const std::string& path);
/// Returns an error message if `path` ends like a JSON file, a recording or a picture; otherwise an
/// empty string. A log replaces an existing file, so such a path is probably a mistake.
std::string log_fault(const std::string& path);

/// Like log_fault(), for a file that the program reads and rewrites, such as --settings. `content`
/// completes the error "..., but this file holds".
std::string rewritten_file_fault(const std::string& path, const std::string& content);

/// A file that a command line names.
struct NamedFile {
  std::string name;  // the option, such as "--record", or another name for error messages
  std::string path;  // empty if the option was not given
  bool may_be_folder = false;
};
/// Returns an error message if an output file is also an input or another output of the same
/// command, or if an input is a folder although it must be a file. Otherwise returns an empty
/// string. Paths are compared after following symbolic links, and existing files also by device and
/// inode. If an input may be a folder, no output may be in it. Devices and pipes, such as
/// /dev/null, may be used several times.
std::string output_fault(const std::vector<NamedFile>& outputs,
                         const std::vector<NamedFile>& inputs);

/// Returns the printable path, the content and the size of a file that a program wrote, such as
/// "a.png: 640 x 360 pixels, 70123 bytes". Returns an empty string if `path` is not a regular file:
/// the data may go to the same terminal or pipe as a line about it.
std::string describe_written(const std::string& path, const std::string& content);

/// Adds --inject, for faults in the format of record::parse_faults.
void add_faults(command_line::App app, std::vector<std::string>& faults,
                const std::string& more_help = {});
/// Adds --sync-test. 0 turns the test off.
void add_sync_test(command_line::App app, std::uint32_t& ticks, const std::string& more_help);
/// Adds --sync-test to a command that runs the test only if the option is given. Rejects 0.
void add_optional_sync_test(command_line::App app, std::uint32_t& ticks);
/// Adds --on-desync continue|stop.
void add_on_desync(command_line::App app, bool& stops_on_desync, const std::string& help);
/// Returns an error message if no file can be created in the folder `path`; otherwise an empty
/// string. For a missing folder, checks the innermost existing folder on its path.
std::string unwritable_folder_fault(const std::string& path);
/// Adds --record-folder. The default is the value of `folder`. A given folder must be writable; a
/// missing one must be in a folder in which it can be created.
void add_record_folder(command_line::App app, std::string& folder, const std::string& help);

/// Returns an error message if no recording can be written to the default folder of
/// --record-folder, or an empty string. For runs that may write one although the user did not give
/// the option.
std::string default_record_folder_fault(const std::string& folder);

/// Adds the options with which a client joins a server: --token, --psk, --key and --known-servers.
/// `more_token_help` is appended to the help text of --token.
void add_client_access(command_line::App app, keyring::ClientAccessOptions& access,
                       const std::string& more_token_help = {});

}  // namespace jostle::program_options
