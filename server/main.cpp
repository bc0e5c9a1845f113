#include "server/access.h"
#include "server/available_memory.h"
#include "server/command_line.h"
#include "server/hash_log.h"
#include "server/lan_discovery_service.h"
#include "server/line_output.h"
#include "server/recorder.h"
#include "server/scene_catalogue.h"
#include "server/server.h"
#include "server/state_folder.h"
#include "server/status_log.h"
#include "server/summary.h"
#include "server/tick_loop.h"
#include "server/web_access.h"
#include "shared/base/counted.h"
#include "shared/base/log.h"
#include "shared/base/optional_memory.h"
#include "shared/base/printable.h"
#include "shared/base/program_names.h"
#include "shared/base/token_bucket.h"
#include "shared/journal/files.h"
#include "shared/journal/writer_thread.h"
#include "shared/net/enet_transport.h"
#include "shared/net/net_sim.h"
#include "shared/net/system_io.h"
#include "shared/program_options/program_options.h"
#include "shared/record/replay.h"
#include "shared/scene_files/scene_files.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace jostle::server {
namespace {

constexpr int exit_failed = 1;
constexpr int exit_bad_input = 2;
// Rate limits for desyncs, because a client can report any number of them.
constexpr double desyncs_written_per_second = 1.0 / 60;  // saved recordings per second
constexpr double most_desyncs_written = 8;               // saved recordings in a burst
constexpr double desyncs_printed_per_second = 5;         // printed lines per second
constexpr double most_desyncs_printed = 10;              // printed lines in a burst

int fail(const std::string& words, int code) {
  std::fprintf(stderr, "jostled: %s\n", words.c_str());
  return code;
}

std::string cannot_write(const std::string& option, const std::string& path, net::IoError error) {
  return option + ": cannot write '" + path + "': " + std::string(net::describe(error));
}

/// Prints the path, content and size of a file that was written. Prints nothing if `path` is not a
/// regular file.
void report_written(const std::string& path, const char* verb, const std::string& content) {
  const std::string words = program_options::describe_written(path, content);
  if (!words.empty()) std::printf("jostled: %s %s\n", verb, words.c_str());
}

/// Returns the time in s of the clock with which the physics engine times its stages.
double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The log of the running program; set while lines are sent to it.
LineOutput* log_lines = nullptr;

/// A run of `jostled`, from the parsed command line to the exit code. Each member may refer to the
/// members declared above it.
class Program {
 public:
  explicit Program(const CommandLine& options) : options_(options) {}

  /// Runs the server and returns the exit code.
  int run() {
    using Step = std::optional<int> (Program::*)();  // returns an exit code to end the program
    // The files to write are emptied last, so that a failed start leaves them as they were.
    constexpr Step steps[] = {
        &Program::open_state,   &Program::read_scene,     &Program::check_faults,
        &Program::open_outputs, &Program::open_server,    &Program::open_lan,
        &Program::begin_state,  &Program::open_recording, &Program::open_hash_log};
    simulate_bad_network();
    for (const Step step : steps) {
      if (const auto exit_code = (this->*step)()) return *exit_code;
    }
    play();
    return finish();
  }

 private:
  void simulate_bad_network() {
    if (options_.net_sim.empty()) return;
    conditions_ = net::parse_net_sim(options_.net_sim).value();
    bad_network_.emplace(real_io_, *conditions_, net::NetSim::End::Server, options_.server.seed);
  }
  net::Io& io() { return bad_network_ ? static_cast<net::Io&>(*bad_network_) : real_io_; }

  /// Checks that the bodies and fields of all injected faults exist.
  std::optional<int> check_faults() {
    for (const auto& [tick, faults] : options_.faults) {
      for (const record::RecordedFault& fault : faults) {
        if (const auto why = record::why_not_injected(*simulation_, fault); !why.empty())
          return fail("--inject: " + why, exit_bad_input);
      }
    }
    return std::nullopt;
  }

  /// Locks the state folder and restores the world in it.
  std::optional<int> open_state() {
    if (options_.state.folder.empty()) return std::nullopt;
    const std::int64_t begin_us = real_io_.now_us();
    auto state = StateFolder::open(*files_, writer_, options_.state);
    if (!state) return fail("--state: " + state.error().text, static_cast<int>(state.error().kind));
    state_ = *std::move(state);
    auto restored = state_->take_restored();
    if (restored == nullptr) return std::nullopt;
    for (const std::string& words : restored->warnings)
      base::warn("state", {{"why", words}});
    char words[200];
    std::snprintf(
        words, sizeof words, "restored tick %u, hash %016llx, %u ticks replayed in %lld ms",
        restored->simulation->tick().number, static_cast<unsigned long long>(restored->hash),
        restored->ticks_replayed, static_cast<long long>((real_io_.now_us() - begin_us) / 1'000));
    restored_words_ = words;
    scene_file_ = restored->scene_file;
    simulation_ = std::move(restored->simulation);
    warn_of_contradictions(io(), options_.world_options, options_.scene,
                           {options_.server.tick_rate_hz, options_.server.seed}, scene_file_,
                           *simulation_);
    return std::nullopt;
  }

  std::optional<int> begin_state() {
    if (state_ == nullptr) return std::nullopt;
    const std::string error = state_->begin(*server_, *simulation_, rule_names_, scene_file_);
    if (!error.empty()) return fail("--state: " + error, exit_failed);
    return std::nullopt;
  }

  std::optional<int> read_scene() {
    if (simulation_ != nullptr) {
      if (const auto why = why_not_servable(simulation_->scene(), options_.server.max_players))
        return fail(*why, exit_bad_input);
      scene_name_ = simulation_->scene().name;
      rule_names_ = record::rule_names(simulation_->rules());
      return std::nullopt;
    }
    scene_file_ = scene::scene_path(options_.scene);
    auto scene = scene::load_scene(io(), options_.scene);
    if (!scene) return fail(base::printable(scene.error()), exit_bad_input);
    if (const auto why = why_not_servable(*scene, options_.server.max_players))
      return fail(*why, exit_bad_input);
    scene_name_ = scene->name;
    auto rules = sim::default_rules();
    rule_names_ = record::rule_names(rules);
    simulation_ = std::make_unique<sim::Simulation>(
        *std::move(scene),
        sim::SimulationOptions{options_.server.tick_rate_hz, options_.server.seed},
        std::move(rules));
    return std::nullopt;
  }

  /// Opens and locks all files to write before any of them is changed.
  std::optional<int> open_outputs() {
    const auto open = [this](const char* option, const std::string& path,
                             std::unique_ptr<net::OutputFile>& file) -> std::optional<int> {
      if (path.empty()) return std::nullopt;
      auto opened = io().open_output(path);
      if (!opened) return fail(cannot_write(option, path, opened.error()), exit_bad_input);
      file = *std::move(opened);
      return std::nullopt;
    };
    return open("--hash-log", options_.hash_log_path, hash_log_file_);
  }

  std::optional<int> open_server() {
    auto access = AccessControl::create(io(), options_.access, &token_thread_);
    if (!access) {
      const bool is_full = access.error().ends_with(net::describe(net::IoError::NoSpace));
      return fail(access.error(), is_full ? exit_failed : exit_bad_input);
    }
    access_ = *std::move(access);
    net::EnetOptions transport_options;
    transport_options.security = access_->security();
    transport_options.bind = options_.address;
    transport_options.max_peers =
        transport_peers_of(options_.server.max_sessions, net::max_enet_peers);
    transport_options.is_insecure_bind_allowed = options_.is_insecure;
    auto transport = net::EnetTransport::create(io(), transport_options);
    if (!transport) {
      const bool is_refused = transport.error().kind == net::TransportError::Kind::InsecureBind;
      return fail(transport.error().text, is_refused ? exit_bad_input : exit_failed);
    }
    transport_ = *std::move(transport);
    if (const auto exit_code = open_web()) return exit_code;
    Options server_options = options_.server;
    server_options.tick_rate_hz = simulation_->options().tick_rate_hz;
    server_options.seed = simulation_->options().seed;
    server_options.stage_clock = seconds_now;
    server_ = std::make_unique<Server>(io(), all_clients(), *simulation_, server_options);
    server_->set_token_gate(access_.get());
    server_->set_faults(options_.faults);
    server_->set_loading_executor(&loading_thread_);
    server_->set_hashing_executor(&hashing_thread_);
    server_->set_scenes(read_catalogue(io(), options_.server.max_players));
    return std::nullopt;
  }

  /// Opens the socket for viewers in browsers, and starts the gate.
  std::optional<int> open_web() {
    if (!options_.web.is_wanted()) return std::nullopt;
    auto web = WebAccess::create(io(), *transport_, access_->security(),
                                 options_.server.max_sessions, options_.web);
    if (!web) return fail("--web: " + base::printable(web.error()), exit_failed);
    web_ = *std::move(web);
    return std::nullopt;
  }
  net::Transport& all_clients() {
    return web_ ? web_->transport() : static_cast<net::Transport&>(*transport_);
  }

  std::optional<int> open_lan() {
    if (!options_.is_on_lan) return std::nullopt;
    // Discovery bypasses any simulated network: otherwise its faults could hide the server from the
    // LAN.
    auto lan = LanDiscoveryService::create(context_, real_io_, *server_, *simulation_,
                                           {.name = options_.server.name,
                                            .port = transport_->local_address().port,
                                            .access = options_.access.mode,
                                            .key = access_->shown_key().value(),
                                            .places = options_.server.max_players});
    if (!lan) return fail("--lan: " + lan.error(), exit_failed);
    lan_ = *std::move(lan);
    return std::nullopt;
  }

  std::optional<int> open_recording() {
    auto recorder = Recorder::create(io(), options_.recording, &writer_, *server_, *simulation_,
                                     rule_names_, scene_file_);
    if (!recorder) return fail("--record: " + recorder.error(), exit_bad_input);
    recorder_ = *std::move(recorder);
    return std::nullopt;
  }

  std::optional<int> open_hash_log() {
    if (options_.hash_log_path.empty()) return std::nullopt;
    hash_log_ =
        std::make_unique<HashLog>(std::move(hash_log_file_), options_.hash_log_path, writer_);
    if (const auto error = hash_log_->flush())
      return fail(cannot_write("--hash-log", options_.hash_log_path, *error), exit_bad_input);
    server_->set_snapshot_hook([this](const protocol::QuantizedSnapshot& snapshot) {
      hash_log_->add(snapshot.tick, protocol::hash(snapshot));
    });
    return std::nullopt;
  }

  void announce() const {
    std::printf("jostled: scene %s, %s, %d Hz, seed %llu, listening at %s\n", scene_name_.c_str(),
                base::counted(simulation_->world_def().bodies.size(), "body").c_str(),
                simulation_->options().tick_rate_hz,
                static_cast<unsigned long long>(simulation_->options().seed),
                net::to_string(transport_->local_address()).c_str());
    if (!restored_words_.empty()) std::printf("jostled: %s\n", restored_words_.c_str());
    if (recorder_->file() != nullptr && recorder_->file()->status().path != options_.recording.path)
      std::printf("jostled: recording to %s, because %s exists\n",
                  recorder_->file()->status().path.c_str(), options_.recording.path.c_str());
    if (lan_ != nullptr) {
      std::printf("jostled: visible on the local network (%s --lan) as '%s'\n",
                  base::program_names().view.c_str(),
                  base::printable(options_.server.name).c_str());
    }
    for (const std::string& words : access_->startup_messages())
      std::printf("jostled: %s\n", words.c_str());
    if (web_) announce_web();
    if (!options_.faults.empty())
      std::printf("jostled: INJECTED FAULTS: %s\n", record::describe(options_.faults).c_str());
    if (conditions_)
      std::printf("jostled: SIMULATED NETWORK: %s\n", net::describe(*conditions_).c_str());
    std::fflush(stdout);
  }

  void announce_web() const {
    for (const std::string& words : web_->startup_messages())
      std::printf("jostled: %s\n", base::printable(words).c_str());
    if (!web_->url().empty()) std::printf("Watch: %s\n", base::printable(web_->url()).c_str());
  }

  /// Prints a line without waiting for its reader.
  void say(const std::string& words) { stdout_lines_.write("jostled: " + words + "\n"); }

  /// Ends the use of the output threads.
  void end_line_outputs() {
    constexpr double patience_s = 1;
    base::set_log_sink(nullptr);
    stdout_lines_.end(patience_s);
    stderr_lines_.end(patience_s);
  }

  /// Saves the ring recording on each SIGUSR1.
  void save_on_signal(asio::signal_set& save_signals) {
    save_signals.async_wait([&](const std::error_code& error, int) {
      if (error) return;
      save_recent({});
      save_on_signal(save_signals);
    });
  }

  /// Begins the next file of --record on each SIGHUP, so that the current one can be moved away.
  void begin_file_on_signal(asio::signal_set& hangups) {
    hangups.async_wait([&](const std::error_code& error, int) {
      if (error) return;
      recorder_->begin_file();
      begin_file_on_signal(hangups);
    });
  }

  /// Saves the ring recording to a new file and prints the name of the file or the error.
  void save_recent(const std::string& prefix) {
    recorder_->save_recent(prefix, [this](const std::string& words) { say(words); });
  }

  /// Prints each new desync and saves the ring recording, both within rate limits. Returns true if
  /// the run must end.
  bool report_desyncs() {
    while (const auto desync = server_->take_desync()) {
      has_desynced_ = true;
      // A client reports its own state, so its reports cannot be trusted. The rate limits prevent a
      // client from filling the disk or the terminal and from displacing the reports of other
      // clients.
      if (!desyncs_printed_.take(io().now_us())) continue;
      say("DESYNC of " + base::printable(desync->peer) + ": " +
          base::printable(desync->report.text));
      if (desyncs_written_.take(io().now_us())) save_recent("desync-");
    }
    return has_desynced_ && options_.stops_on_desync;
  }

  /// Runs the event loop until a signal, the end of --duration, or a desync that stops the run.
  void play() {
    loop_ = std::make_unique<TickLoop>(context_, io(), *server_, all_clients().native_handle(),
                                       simulation_->options().tick_rate_hz);
    asio::signal_set signals(context_, SIGINT, SIGTERM);
    asio::signal_set save_signals(context_, SIGUSR1);
    asio::signal_set hangups(context_, SIGHUP);
    const auto stop = [&] {
      loop_->stop();
      if (lan_ != nullptr) lan_->stop();
      signals.cancel();
      save_signals.cancel();
      hangups.cancel();
    };
    save_on_signal(save_signals);
    begin_file_on_signal(hangups);
    signals.async_wait([&](const std::error_code& error, int) {
      if (!error) stop();
    });
    const std::uint64_t ticks_wanted = ticks_of_run(options_);
    std::optional<StatusLog> status;
    if (options_.status_interval_seconds > 0)
      status.emplace(*server_, state_ ? &state_->journal() : nullptr,
                     options_.status_interval_seconds, io().now_us());
    loop_->set_tick_hook([&] {
      if (status)
        status->add_tick(simulation_->tick().number, loop_->last_tick_us(), io().now_us());
      access_->advance();
      if (web_) web_->advance();
      if (report_desyncs()) stop();
      if (ticks_wanted != 0 && server_->metrics().ticks >= ticks_wanted) stop();
    });
    announce();
    log_lines = &stderr_lines_;
    base::set_log_sink([](base::LogLevel level, const std::string& line) {
      log_lines->write(base::with_level(level, line));
    });
    loop_->start();
    if (lan_ != nullptr) lan_->start();
    context_.run();
  }

  /// Disconnects all clients, and waits up to half a second until their sessions have ended.
  void disconnect_all() {
    constexpr int rounds = 50;
    constexpr std::chrono::milliseconds pause(10);
    server_->disconnect_all();
    for (int i = 0; i < rounds && server_->session_count() > 0; ++i) {
      server_->receive();
      std::this_thread::sleep_for(pause);
    }
  }

  int finish() {
    disconnect_all();
    server_->complete_recording();
    report_desyncs();  // those that arrived after the last tick
    recorder_->finish_saves();
    end_line_outputs();
    const bool is_recorded = recorder_->close();
    const bool is_stored = state_ == nullptr || state_->close(*simulation_);
    print_summary(*server_, *loop_, *transport_, *simulation_);
    if (web_) print_web_summary(web_->viewers());
    const bool has_desynced =
        (has_desynced_ && options_.stops_on_desync) || server_->sync_test().mismatch().has_value();
    if (!is_stored)
      return fail("--state: the last ticks are not stored: " + state_->journal().status().error,
                  exit_failed);
    if (!is_recorded) {
      const std::uint64_t lost = recorder_->file()->ticks_lost();
      const std::string cause = recorder_->file()->status().error;
      return fail(
          "--record: '" + options_.recording.path + "': " +
              (lost == 0 ? "the end is missing" : base::counted(lost, "tick") + " missing") +
              (cause.empty() ? "; the log names the cause" : ": " + cause),
          exit_failed);
    }
    if (const auto error = hash_log_ != nullptr ? hash_log_->flush() : std::nullopt)
      return fail("--hash-log: '" + options_.hash_log_path +
                      "' is incomplete: " + base::counted(hash_log_->lines_lost(), "line") +
                      " missing: " + std::string(net::describe(*error)),
                  exit_failed);
    report_recording();
    report_written(options_.hash_log_path, "wrote",
                   base::counted(hash_log_ != nullptr ? hash_log_->lines() : 0, "line"));
    std::fflush(stdout);
    return has_desynced ? exit_failed : 0;
  }

  void report_recording() const {
    if (recorder_->file() == nullptr) return;
    const journal::WriterStatus status = recorder_->file()->status();
    const std::string ticks = base::counted(server_->metrics().ticks, "tick");
    if (status.segments == 1) return report_written(status.path, "recorded", ticks);
    std::printf("jostled: recorded %s in %llu files; the last is %s\n", ticks.c_str(),
                static_cast<unsigned long long>(status.segments), status.path.c_str());
  }

  const CommandLine& options_;
  bool has_desynced_ = false;
  base::TokenBucket desyncs_written_{desyncs_written_per_second, most_desyncs_written};
  base::TokenBucket desyncs_printed_{desyncs_printed_per_second, most_desyncs_printed};
  net::SystemIo real_io_;
  std::optional<net::NetworkConditions> conditions_;
  std::optional<net::NetSim> bad_network_;
  const std::unique_ptr<journal::Files> files_ = journal::system_files();
  LineOutput stdout_lines_{STDOUT_FILENO, "stdout"}, stderr_lines_{STDERR_FILENO, "stderr"};
  journal::WriterThread writer_, token_thread_, loading_thread_, hashing_thread_;
  std::string scene_name_;
  std::string scene_file_;      // path of the scene's file
  std::string restored_words_;  // line about the restored world; empty if it is new
  std::vector<std::string> rule_names_;
  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<AccessControl> access_;
  std::unique_ptr<net::EnetTransport> transport_;
  std::unique_ptr<WebAccess> web_;
  std::unique_ptr<net::OutputFile> hash_log_file_;  // null once it is used
  std::unique_ptr<HashLog> hash_log_;
  std::unique_ptr<StateFolder> state_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Recorder> recorder_;
  asio::io_context context_;
  std::unique_ptr<TickLoop> loop_;
  std::unique_ptr<LanDiscoveryService> lan_;
};

}  // namespace
}  // namespace jostle::server

int main(int argc, char** argv) {
  try {
    const auto command_line = jostle::server::parse_command_line(argc, argv);
    if (command_line.exit_code) return *command_line.exit_code;
    jostle::base::set_log_threshold(command_line.options.log_level);
    // Ignore SIGPIPE: otherwise a closed stdout pipe (such as `jostled | head`) would end the
    // server.
    std::signal(SIGPIPE, SIG_IGN);
    jostle::base::set_memory_source(jostle::server::available_memory);
    return jostle::server::Program(command_line.options).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jostled: %s\n", error.what());
    return 1;
  }
}
