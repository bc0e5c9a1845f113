#include "client/app/resolve.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace jostle::client_app {
namespace {

std::optional<net::Ip> ip_of(const addrinfo& info) {
  if (info.ai_family == AF_INET) {
    sockaddr_in address{};
    std::memcpy(&address, info.ai_addr, sizeof address);
    return net::Ip(ntohl(address.sin_addr.s_addr));
  }
  if (info.ai_family == AF_INET6) {
    sockaddr_in6 address{};
    std::memcpy(&address, info.ai_addr, sizeof address);
    net::Ip::Bytes bytes{};
    std::memcpy(bytes.data(), &address.sin6_addr, bytes.size());
    return net::Ip(bytes, address.sin6_scope_id);
  }
  return std::nullopt;
}

bool is_ip_text(const std::string& host) {
  // The system would read "1.2.3" as 1.2.0.3, and the wrong machine would be asked.
  return host.find(':') != std::string::npos ||
         host.find_first_not_of("0123456789.") == std::string::npos;
}

}  // namespace

std::optional<net::Ip> choose_ip(std::span<const net::Ip> found) {
  if (found.empty()) return std::nullopt;
  const auto v4 = std::find_if(found.begin(), found.end(), [](net::Ip ip) { return ip.is_v4(); });
  return v4 == found.end() ? found.front() : *v4;
}

base::Result<net::Address, std::string> resolve(const std::string& host, std::uint16_t port) {
  if (is_ip_text(host)) {
    if (std::string fault = net::ip_fault(host); !fault.empty()) return fault;
    return net::Address{*net::parse_ip(host), port};
  }
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(host.c_str(), nullptr, &wanted, &list);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, &freeaddrinfo);
  std::vector<net::Ip> found;
  for (const addrinfo* info = list; info != nullptr; info = info->ai_next)
    if (const auto ip = ip_of(*info)) found.push_back(*ip);
  const std::optional<net::Ip> ip = choose_ip(found);
  if (!ip) {
    return "cannot find the server '" + host +
           "': " + gai_strerror(error != 0 ? error : EAI_NONAME);
  }
  return net::Address{*ip, port};
}

}  // namespace jostle::client_app
