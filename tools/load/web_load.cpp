#include "tools/load/web_load.h"

#include "server/server.h"
#include "server/tick_loop.h"
#include "server/web_access.h"
#include "shared/bisect/child_process.h"
#include "shared/net/enet_transport.h"
#include "shared/net/system_io.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <asio/io_context.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <vector>

namespace jostle::load {
namespace {

constexpr std::size_t more_sessions = 16;
/// Time between the join of the last viewer and the measurement, and longest time for all joins.
constexpr double calm_seconds = 2, longest_join_seconds = 120;

/// Returns the CPU time of a process in s, user and system; 0 if it cannot be read.
double cpu_seconds(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  // utime and stime are the fields 14 and 15; the text begins with field 3.
  std::string skipped;
  for (int field = 3; field < 14; ++field)
    fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// Returns "IP:PORT" of "http://IP:PORT/".
std::string endpoint_of_url(const std::string& url) {
  const std::size_t begin = url.find("://") + 3;
  return url.substr(begin, url.find('/', begin) - begin);
}

/// The measurement. Each member may refer to the members declared above it.
class WebLoad {
 public:
  WebLoad(const WebLoadOptions& options, scene::SceneDef scene)
      : options_(options),
        simulation_(std::move(scene), {options.tick_rate_hz, 0}, sim::default_rules()) {}

  base::Result<WebLoadFigures, std::string> run() {
    if (std::string fault = open(); !fault.empty()) return fault;
    loop_->set_tick_hook([this] {
      if (!advance()) loop_->stop();
    });
    loop_->start();
    context_.run();
    if (!fault_.empty()) return fault_;
    return figures_;
  }

 private:
  enum class Step { Idle, Joining, Calm, Loaded, Ending };

  std::string open() {
    server::Options choices;
    choices.max_players = 1;
    choices.max_sessions = options_.viewers + more_sessions;
    choices.tick_rate_hz = options_.tick_rate_hz;
    auto clients = net::EnetTransport::create(io_, {});
    if (!clients) return clients.error().text;
    clients_ = *std::move(clients);
    server::WebOptions web;
    web.listen = "127.0.0.1:0";
    web.gate_arguments = {"--max-viewers", std::to_string(choices.max_sessions)};
    if (options_.direct_viewers)
      web.gate_arguments.insert(web.gate_arguments.end(),
                                {"--direct-viewers", std::to_string(*options_.direct_viewers)});
    auto access = server::WebAccess::create(io_, *clients_, {}, choices.max_sessions, web);
    if (!access) return access.error();
    web_ = *std::move(access);
    server_ = std::make_unique<server::Server>(io_, web_->transport(), simulation_, choices);
    loop_ = std::make_unique<server::TickLoop>(
        context_, io_, *server_, web_->transport().native_handle(), choices.tick_rate_hz);
    go_to(Step::Idle, options_.seconds);
    return {};
  }

  void go_to(Step step, double seconds) {
    step_ = step;
    end_us_ = io_.now_us() + static_cast<std::int64_t>(seconds * 1e6);
    loop_->reset_durations();
    cpu_before_ = {cpu_seconds(::getpid()), cpu_seconds(web_->gate_process())};
    skipped_before_ = loop_->ticks_skipped();
  }

  /// Goes on with the next step if it is time. Returns false at the end.
  bool advance() {
    for (const std::string& line : viewers_.take_lines())
      figures_.viewers_text += line + "\n";
    const bool is_over = io_.now_us() >= end_us_;
    switch (step_) {
      case Step::Idle:
        if (is_over) begin_viewers();
        break;
      case Step::Joining:
        if (viewers() >= options_.viewers) go_to(Step::Calm, calm_seconds);
        if (is_over)
          fault_ = "only " + std::to_string(viewers()) + " of " + std::to_string(options_.viewers) +
                   " viewers have joined";
        break;
      case Step::Calm:
        if (is_over) go_to(Step::Loaded, options_.seconds);
        break;
      case Step::Loaded:
        if (is_over) end_measurement();
        break;
      case Step::Ending:
        return !viewers_.has_ended() && !is_over;
    }
    return fault_.empty();
  }

  void begin_viewers() {
    figures_.idle_p50_us = loop_->tick_durations().percentile_us(0.5);
    figures_.idle_p99_us = loop_->tick_durations().percentile_us(0.99);
    const auto started = viewers_.start(
        options_.program, {"bench", "web", "--gate", endpoint_of_url(web_->url()), "--viewers",
                           std::to_string(options_.viewers), "--seconds",
                           std::to_string(options_.seconds + 2 * calm_seconds)});
    if (!started) fault_ = started.error();
    go_to(Step::Joining, longest_join_seconds);
  }

  void end_measurement() {
    figures_.tick_p50_us = loop_->tick_durations().percentile_us(0.5);
    figures_.tick_p99_us = loop_->tick_durations().percentile_us(0.99);
    figures_.ticks_skipped = loop_->ticks_skipped() - skipped_before_;
    figures_.viewers = viewers();
    figures_.sessions = server_->session_count();
    figures_.server_cpu_seconds = (cpu_seconds(::getpid()) - cpu_before_.server) / options_.seconds;
    figures_.gate_cpu_seconds =
        (cpu_seconds(web_->gate_process()) - cpu_before_.gate) / options_.seconds;
    go_to(Step::Ending, longest_join_seconds);
  }

  /// Returns the number of viewers that the server has admitted and that have joined.
  std::size_t viewers() const { return server_->session_count() + web_->viewers().handed_over(); }

  struct CpuTimes {
    double server = 0, gate = 0;
  };
  const WebLoadOptions& options_;
  net::SystemIo io_;
  sim::Simulation simulation_;
  std::unique_ptr<net::EnetTransport> clients_;
  std::unique_ptr<server::WebAccess> web_;
  std::unique_ptr<server::Server> server_;
  asio::io_context context_;
  std::unique_ptr<server::TickLoop> loop_;
  bisect::ChildProcess viewers_;
  WebLoadFigures figures_;
  std::string fault_;
  Step step_ = Step::Idle;
  std::int64_t end_us_ = 0;
  CpuTimes cpu_before_;
  std::uint64_t skipped_before_ = 0;
};

}  // namespace

base::Result<WebLoadFigures, std::string> measure_web_load(const WebLoadOptions& options,
                                                           scene::SceneDef scene) {
  return WebLoad(options, std::move(scene)).run();
}

}  // namespace jostle::load
