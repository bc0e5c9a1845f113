#include "shared/gate_link/local_socket.h"

#include "shared/base/assert.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace jostle::gate_link {
namespace {

constexpr int waiting_connections = 16;

std::string cannot(const char* what, const std::string& path, int error) {
  return std::string(what) + " '" + path + "': " + std::strerror(error);
}

sockaddr_un socket_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(path.begin(), path.end(), std::begin(address.sun_path));
  return address;
}

const sockaddr* general(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

/// Returns true if a program listens at the path.
bool has_listener(const sockaddr_un& address) {
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return true;
  const bool is_refused =
      ::connect(probe, general(address), sizeof address) != 0 && errno == ECONNREFUSED;
  ::close(probe);
  return !is_refused;
}

/// Removes a socket file without a listener. Returns why the path cannot be used, or nothing.
std::string clear_path(const std::string& path, const sockaddr_un& address) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0)
    return errno == ENOENT ? std::string() : cannot("cannot use", path, errno);
  if (!S_ISSOCK(found.st_mode)) return "'" + path + "' exists and is not a socket";
  if (has_listener(address)) return "another program uses the socket '" + path + "'";
  return ::unlink(path.c_str()) == 0 ? std::string() : cannot("cannot replace", path, errno);
}

/// Lets the group of a user connect. Returns an error text, or nothing.
std::string admit_group(const std::string& path, gid_t group) {
  if (::chown(path.c_str(), static_cast<uid_t>(-1), group) != 0)
    return cannot("cannot give the user's group access to", path, errno) +
           "; this process must be a member of that group";
  if (::chmod(path.c_str(), 0660) != 0) return cannot("cannot set the mode of", path, errno);
  return {};
}

}  // namespace

LocalConnection::~LocalConnection() {
  ::close(handle_);
}

std::optional<std::size_t> LocalConnection::read(std::span<std::byte> buffer) {
  for (;;) {
    const ssize_t count = ::recv(handle_, buffer.data(), buffer.size(), 0);
    if (count > 0) return static_cast<std::size_t>(count);
    if (count == 0) return std::nullopt;
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    return std::nullopt;
  }
}

std::optional<std::size_t> LocalConnection::write(std::span<const std::byte> bytes) {
  for (;;) {
    const ssize_t count = ::send(handle_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    return std::nullopt;
  }
}

base::Result<std::unique_ptr<LocalListener>, std::string> LocalListener::create(
    const Options& options) {
  const std::string& path = options.path;
  constexpr std::size_t max_path_bytes = sizeof(sockaddr_un::sun_path) - 1;
  if (path.empty() || path.size() > max_path_bytes)
    return "the path of a socket has 1 to " + std::to_string(max_path_bytes) + " bytes, and '" +
           path + "' has " + std::to_string(path.size());
  std::vector<unsigned> users{::getuid()};
  std::optional<gid_t> group;
  if (!options.user.empty()) {
    const passwd* const entry = ::getpwnam(options.user.c_str());
    if (entry == nullptr) return "there is no user '" + options.user + "'";
    users.push_back(entry->pw_uid);
    group = entry->pw_gid;
  }
  const sockaddr_un address = socket_address(path);
  if (auto fault = clear_path(path, address); !fault.empty()) return fault;
  const int handle = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (handle < 0) return cannot("cannot open", path, errno);
  // bind() gives the file the mode of the handle, so that it is never open to others.
  if (::fchmod(handle, 0600) != 0 || ::bind(handle, general(address), sizeof address) != 0) {
    auto fault = cannot("cannot open the socket", path, errno);
    ::close(handle);
    return fault;
  }
  std::unique_ptr<LocalListener> listener(new LocalListener(handle, path, std::move(users)));
  if (group) {
    if (auto fault = admit_group(path, *group); !fault.empty()) return fault;
  }
  if (::listen(handle, waiting_connections) != 0)
    return cannot("cannot listen at the socket", path, errno);
  return listener;
}

LocalListener::~LocalListener() {
  ::close(handle_);
  ::unlink(path_.c_str());
}

std::unique_ptr<LocalConnection> LocalListener::accept() {
  for (;;) {
    const int handle = ::accept4(handle_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (handle < 0) {
      if (errno == EINTR) continue;
      return nullptr;
    }
    auto connection = std::make_unique<LocalConnection>(handle);
    ucred peer{};
    socklen_t size = sizeof peer;
    const bool is_known = ::getsockopt(handle, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
    if (is_known && std::find(users_.begin(), users_.end(), peer.uid) != users_.end())
      return connection;
    ++refused_;
  }
}

HandleSet::HandleSet() : handle_(::epoll_create1(EPOLL_CLOEXEC)) {
  JOSTLE_ASSERT(handle_ >= 0);
}

HandleSet::~HandleSet() {
  ::close(handle_);
}

void HandleSet::add(int handle) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = handle;
  ::epoll_ctl(handle_, EPOLL_CTL_ADD, handle, &event);
}

void HandleSet::want_write(int handle, bool is_wanted) {
  epoll_event event{};
  event.events = EPOLLIN | (is_wanted ? EPOLLOUT : 0U);
  event.data.fd = handle;
  ::epoll_ctl(handle_, EPOLL_CTL_MOD, handle, &event);
}

void HandleSet::remove(int handle) {
  ::epoll_ctl(handle_, EPOLL_CTL_DEL, handle, nullptr);
}

}  // namespace jostle::gate_link
