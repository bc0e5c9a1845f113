#include "gate/server_room.h"

#include "shared/base/log.h"
#include "shared/base/printable.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace jostle::gate {
namespace {

using boost::system::error_code;
using gate_link::ViewerId;
using net::DisconnectReason;
using Local = boost::asio::local::stream_protocol;

constexpr std::chrono::milliseconds retry_pause{250};
/// Number of bytes that wait for the server above which unreliable messages of viewers are dropped,
/// and above which the connection ends. The server is then standing still.
constexpr std::size_t max_waiting_unreliable_bytes = 8U << 20, max_waiting_bytes = 32U << 20;
/// Time for which a viewer waits for the audience. The server then serves the viewer.
constexpr std::chrono::seconds max_audience_wait{3};

}  // namespace

ServerRoom::ServerRoom(boost::asio::io_context& context, Options options)
    : context_(context),
      options_(std::move(options)),
      socket_(context),
      retry_(context),
      spectator_([this](const gate_link::GateFrame& frame) { put(frame); },
                 [this] { return ViewerId{++last_viewer_}; }) {
  connect();
}

ServerRoom::~ServerRoom() {
  *is_alive_ = false;
  for (auto& [id, member] : viewers_)
    member.viewer->detach();
}

void ServerRoom::connect() {
  if (is_stopped_) return;
  const std::uint64_t number = ++connection_;
  socket_ = Local::socket(context_);
  socket_.async_connect(Local::endpoint(options_.socket_path),
                        [this, number, alive = is_alive_](error_code error) {
                          if (!*alive || number != connection_) return;
                          if (error) return lose("cannot connect: " + error.message());
                          is_open_ = true;
                          is_greeted_ = is_loss_logged_ = false;
                          received_ = {};
                          put(gate_link::GateHello{.url = options_.url});
                          read();
                        });
}

/// Ends the connection, disconnects all viewers, and connects again after a pause.
void ServerRoom::lose(const std::string& why) {
  // Log a server that stays away once, not four times a second.
  if (!std::exchange(is_loss_logged_, true))
    base::warn("server unreachable", {{"socket", options_.socket_path}, {"why", why}});
  is_open_ = false;
  ++connection_;
  error_code ignored;
  socket_.close(ignored);
  waiting_.clear();
  sending_.clear();
  touched_.clear();
  spectator_.lose();
  for (auto& [id, member] : std::exchange(viewers_, {})) {
    if (member.served_by == ServedBy::Audience) audience_->forget(*member.viewer);
    member.viewer->detach();
    member.viewer->close(gate_link::server_unreachable_code,
                         "the server is not running; connecting again", true);
  }
  if (is_stopped_) return;
  retry_.expires_after(retry_pause);
  retry_.async_wait([this, alive = is_alive_](error_code error) {
    if (!error && *alive) connect();
  });
}

void ServerRoom::read() {
  socket_.async_read_some(
      boost::asio::buffer(buffer_),
      [this, number = connection_, alive = is_alive_](error_code error, std::size_t count) {
        if (!*alive || number != connection_) return;
        if (error) return lose(error.message());
        take(std::span(buffer_).first(count));
        if (number == connection_) read();
      });
}

void ServerRoom::take(std::span<const std::byte> bytes) {
  received_.add(bytes);
  while (const auto content = received_.next()) {
    const auto frame = gate_link::decode_server_frame(*content);
    if (!frame || !handle(*frame)) return lose("the server sent an invalid frame");
  }
  if (received_.is_broken()) return lose("the server sent an invalid frame");
  for (const ViewerId id : std::exchange(touched_, {}))
    if (Viewer* const viewer = find(id)) viewer->flush();
}

bool ServerRoom::handle(const gate_link::ServerFrame& frame) {
  if (const auto* const hello = std::get_if<gate_link::ServerHello>(&frame)) {
    is_greeted_ = true;
    return hello->version == gate_link::link_version;
  }
  if (!is_greeted_) return false;
  if (spectator_.handle(frame)) return true;
  if (const auto* const message = std::get_if<gate_link::LinkMessage>(&frame)) {
    if (Viewer* const viewer = find(message->viewer)) {
      viewer->send(message->channel, group_, message->bytes);
      touched_.push_back(message->viewer);
    }
  } else if (std::holds_alternative<gate_link::EndOfGroup>(frame)) {
    ++group_;
  } else if (const auto* const admitted = std::get_if<gate_link::ViewerAdmitted>(&frame)) {
    if (Viewer* const viewer = find(admitted->viewer)) viewer->admit(admitted->identity);
  } else if (const auto* const close = std::get_if<gate_link::CloseViewer>(&frame)) {
    if (Viewer* const viewer = find(close->viewer))
      viewer->close(close->code, base::printable(close->text), close->is_immediate);
  }
  return true;
}

void ServerRoom::put(const gate_link::GateFrame& frame) {
  if (!is_open_) return;
  gate_link::append_frame(waiting_, frame);
  if (sending_.empty()) write();
}

void ServerRoom::write() {
  sending_ = std::exchange(waiting_, {});
  boost::asio::async_write(
      socket_, boost::asio::buffer(sending_),
      [this, number = connection_, alive = is_alive_](error_code error, std::size_t) {
        if (!*alive || number != connection_) return;
        if (error || waiting_.size() > max_waiting_bytes)
          return lose(error ? error.message() : "the server does not read");
        sending_.clear();
        if (!waiting_.empty()) write();
      });
}

Viewer* ServerRoom::find(ViewerId id) {
  const auto found = viewers_.find(id);
  return found == viewers_.end() ? nullptr : found->second.viewer;
}

std::unique_ptr<http::WebSocketHandler> ServerRoom::join(net::Address client, bool needs_server) {
  const ViewerId id{++last_viewer_};
  auto viewer = std::make_unique<Viewer>(id, client, *this, options_.limits);
  if (!is_open_) {
    viewer->close(gate_link::server_unreachable_code, "the server is not running; connecting again",
                  true);
  } else if (viewers_.size() >= options_.max_viewers) {
    viewer->close(gate_link::close_code(DisconnectReason::ServerFull),
                  "the gate is full: " + std::to_string(options_.max_viewers) + " viewers", true);
  }
  viewers_[id] = {.viewer = viewer.get(), .needs_server = needs_server};
  return viewer;
}

std::optional<http::Response> ServerRoom::respond(const std::string&) {
  return std::nullopt;
}

void ServerRoom::entered(Viewer& viewer, const gate_link::EntryRequest& request) {
  put(gate_link::ViewerConnect{viewer.id(), viewer.address(), request});
}

void ServerRoom::received(Viewer& viewer, const gate_link::ViewerMessage& message) {
  Member& member = viewers_.at(viewer.id());
  switch (member.served_by) {
    case ServedBy::Undecided:
      return assign(member, message);
    case ServedBy::Waiting:
      return;
    case ServedBy::Server:
      return pass_on(viewer, message);
    case ServedBy::Audience:
      return audience_->handle(viewer, message);
  }
}

void ServerRoom::pass_on(Viewer& viewer, const gate_link::ViewerMessage& message) {
  const bool is_reliable =
      message.channel == net::Channel::Control || message.channel == net::Channel::Bulk;
  if (!is_reliable && waiting_.size() > max_waiting_unreliable_bytes) return;
  put(gate_link::LinkMessage{viewer.id(), message.channel, message.bytes});
}

void ServerRoom::acknowledged(Viewer& viewer, std::uint64_t total, std::uint32_t round_trip_us) {
  // The audience's messages are not the server's.
  if (viewers_.at(viewer.id()).served_by == ServedBy::Audience) return;
  put(gate_link::ViewerAcknowledged{viewer.id(), total, round_trip_us});
}

void ServerRoom::left(Viewer& viewer, DisconnectReason reason) {
  if (viewers_.at(viewer.id()).served_by == ServedBy::Audience) audience_->forget(viewer);
  viewers_.erase(viewer.id());
  put(gate_link::ViewerGone{viewer.id(), reason});
}

std::size_t ServerRoom::count(ServedBy served_by) const {
  return static_cast<std::size_t>(
      std::count_if(viewers_.begin(), viewers_.end(),
                    [&](const auto& entry) { return entry.second.served_by == served_by; }));
}

std::size_t ServerRoom::audience_size() const {
  return count(ServedBy::Audience);
}

/// Chooses the server or the audience for a viewer, at its first message.
void ServerRoom::assign(Member& member, const gate_link::ViewerMessage& hello) {
  if (hello.channel != net::Channel::Control) return;
  const std::size_t direct = count(ServedBy::Server);
  // Begin early, because the audience takes a moment to join the server.
  if (2 * direct >= options_.direct_viewers) open_audience();
  if (audience_ != nullptr && direct >= options_.direct_viewers && !member.needs_server) {
    if (!audience_->is_open()) {
      member.served_by = ServedBy::Waiting;
      member.hello.assign(hello.bytes.begin(), hello.bytes.end());
      member.waiting_since = std::chrono::steady_clock::now();
      return;
    }
    if (join_audience(member, hello.bytes)) return;
  }
  member.served_by = ServedBy::Server;
  pass_on(*member.viewer, hello);
}

void ServerRoom::open_audience() {
  if (audience_ == nullptr && options_.make_audience)
    audience_ = options_.make_audience(spectator_.transport());
}

bool ServerRoom::join_audience(Member& member, std::span<const std::byte> hello) {
  if (!audience_->take(*member.viewer, hello)) return false;
  member.served_by = ServedBy::Audience;
  put(gate_link::ViewerHandedOver{member.viewer->id()});
  return true;
}

/// Gives the waiting viewers to the audience, or to the server if the audience does not open. Ends
/// an audience without members.
void ServerRoom::watch_audience() {
  if (audience_ == nullptr) return;
  std::vector<ViewerId> waiting;
  for (const auto& [id, member] : viewers_)
    if (member.served_by == ServedBy::Waiting) waiting.push_back(id);
  for (const ViewerId id : waiting) {
    const auto found = viewers_.find(id);
    if (found == viewers_.end()) continue;
    Member& member = found->second;
    const bool is_overdue =
        std::chrono::steady_clock::now() - member.waiting_since > max_audience_wait;
    if (!audience_->is_open() && !is_overdue) continue;
    const std::vector<std::byte> hello = std::exchange(member.hello, {});
    if (audience_->is_open() && join_audience(member, hello)) continue;
    member.served_by = ServedBy::Server;
    pass_on(*member.viewer, {net::Channel::Control, hello});
  }
  if (2 * count(ServedBy::Server) < options_.direct_viewers && count(ServedBy::Audience) == 0 &&
      count(ServedBy::Waiting) == 0)
    audience_.reset();
}

void ServerRoom::watch() {
  std::vector<ViewerId> ids;
  for (const auto& [id, member] : viewers_)
    ids.push_back(id);
  for (const ViewerId id : ids)
    if (Viewer* const viewer = find(id)) viewer->watch();
  watch_audience();
}

void ServerRoom::close_all() {
  is_stopped_ = true;
  retry_.cancel();
  std::vector<ViewerId> ids;
  for (const auto& [id, member] : viewers_)
    ids.push_back(id);
  for (const ViewerId id : ids)
    if (Viewer* const viewer = find(id)) viewer->close(DisconnectReason::ServerShutdown);
}

}  // namespace jostle::gate
