#pragma once

#include "shared/net/address.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::http {

/// The names under which a server may be addressed, and the pages that may open WebSockets. Any
/// web page can send requests to a server on the user's own machine. The Host check stops pages
/// that point their own name at this machine (DNS rebinding), the Origin check all other pages.
class HostCheck {
 public:
  struct Options {
    /// Names besides localhost and literal IP addresses, such as "play.example.org".
    std::vector<std::string> hosts{};
    /// Origins besides the server's own, such as "https://example.org".
    std::vector<std::string> origins{};
  };
  explicit HostCheck(Options options);

  /// Returns true for localhost, an IP address, or a name of the options; the port does not
  /// matter.
  bool accepts_host(std::string_view host) const;
  /// Returns true if the origin is that of the host itself or of the options.
  bool accepts_origin(std::string_view origin, std::string_view host) const;

 private:
  Options options_;
};

/// Returns what is wrong with the text of an origin, or nothing: "https://example.org" or
/// "http://localhost:8888", and for any port "http://localhost:*".
std::string origin_fault(const std::string& text);
/// Returns what is wrong with the text of a host name without a port, or nothing.
std::string host_name_fault(const std::string& text);

/// Returns the client's address behind proxies: the last address of an X-Forwarded-For header that
/// is not a trusted proxy. The header counts only if `socket` is the address of a trusted proxy.
net::Address client_address(net::Address socket, std::string_view forwarded_for,
                            std::span<const net::Ip> trusted_proxies);

}  // namespace jostle::http
