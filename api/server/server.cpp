#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/options.h"
#include "api/play/input.h"
#include "api/server/tables.h"

#include <array>
#include <atomic>

namespace jostle::api {
namespace {

constexpr double max_wait = 60;
constexpr std::uint32_t max_ticks_per_call = 1'000'000;

/// Generations of the servers that must stop, by slot. Apart from the table, so that a signal
/// handler can set them while the server is in use.
using StopRequests = std::array<std::atomic<std::uint32_t>, JOSTLE_MAX_SERVERS>;
StopRequests& stop_requests() {
  static constinit StopRequests requests{};
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
  return requests;
}

/// Implements a function that uses a server alone.
template <typename Body>
jostle_result change_server(const char* function, jostle_server handle, const Body& body) noexcept {
  return guard(function, [&] {
    const auto access = servers().change(handle);
    body(*access);
  });
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_server_create(const jostle_server_def* def, jostle_server* server) {
  return guard(__func__, [&] {
    HostOptions options = checked_host(read_struct(def, "def"));
    require_pointer(server, "server");
    *server = servers().create(std::make_unique<ServerHost>(std::move(options)));
  });
}
jostle_result jostle_server_destroy(jostle_server server) {
  std::string incomplete;
  const jostle_result result =
      change_server(__func__, server, [&](ServerHost& found) { incomplete = found.close(); });
  if (result != JOSTLE_OK) return result;
  return guard(__func__, [&] {
    servers().destroy(server);
    if (!incomplete.empty()) {
      refuse(JOSTLE_ERROR_INVALID_DATA, "%s is incomplete, because a write failed",
             incomplete.c_str());
    }
  });
}
jostle_bool jostle_server_is_alive(jostle_server server) {
  return servers().is_alive(server) ? 1 : 0;
}

jostle_result jostle_server_run(jostle_server server) {
  return change_server(__func__, server, [&](ServerHost& found) {
    std::atomic<std::uint32_t>& request = stop_requests()[server.index - 1];
    found.run([&] {
      std::uint32_t wanted = server.generation;
      return request.compare_exchange_strong(wanted, 0);
    });
  });
}
jostle_result jostle_server_stop(jostle_server server) {
  // A signal handler may call this function, so it takes no lock and allocates nothing.
  if (servers().is_alive(server)) {
    stop_requests()[server.index - 1].store(server.generation);
    return JOSTLE_OK;
  }
  return note(JOSTLE_ERROR_STALE_HANDLE, __func__, "the server does not exist (any more)");
}
jostle_result jostle_server_poll(jostle_server server, double max_wait_seconds, uint32_t* ticks) {
  return change_server(__func__, server, [&](ServerHost& found) {
    require_range(max_wait_seconds, 0, max_wait, "max_wait_seconds", "s");
    const std::uint32_t count = found.poll(max_wait_seconds);
    if (ticks != nullptr) *ticks = count;
  });
}
jostle_result jostle_server_step(jostle_server server, uint32_t count) {
  return change_server(__func__, server, [&](ServerHost& found) {
    require_integer(count, 0, max_ticks_per_call, "count");
    found.step(count);
  });
}

jostle_result jostle_server_control(jostle_server server, jostle_control control, uint32_t number) {
  return change_server(__func__, server,
                       [&](ServerHost& found) { found.control(checked_control(control, number)); });
}
jostle_result jostle_server_set_execution(jostle_server server, const jostle_execution* execution) {
  return change_server(__func__, server, [&](ServerHost& found) {
    found.set_execution(checked_execution(read_struct(execution, "execution")));
  });
}
jostle_result jostle_server_get_info(jostle_server server, jostle_server_info* info) {
  return guard(__func__, [&] {
    const auto found = servers().read(server);
    require_output(info, "info");
    write_struct(info, found->info());
  });
}
jostle_result jostle_server_get_game(jostle_server server, jostle_game* game) {
  return guard(__func__, [&] {
    const auto found = servers().read(server);
    require_pointer(game, "game");
    *game = found->game();
  });
}
jostle_result jostle_server_get_url(jostle_server server, char* url, size_t capacity) {
  return guard(__func__, [&] {
    const auto found = servers().read(server);
    require_pointer(url, "url");
    require_capacity(capacity);
    const std::string text = found->url();
    write_text(text.data(), text.size(), url, capacity, "url");
  });
}
jostle_result jostle_server_save_recent(jostle_server server, const char* folder, char* path,
                                        size_t capacity) {
  return change_server(__func__, server, [&](ServerHost& found) {
    require_pointer(folder, "folder");
    require_pointer(path, "path");
    require_capacity(capacity);
    const std::string written = found.save_recent(folder);
    write_text(written.data(), written.size(), path, capacity, "path");
  });
}
