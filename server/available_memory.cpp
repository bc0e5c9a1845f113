#include "server/available_memory.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

namespace jostle::server {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
constexpr std::size_t most_path_bytes = 512;

/// The first bytes of a file of the kernel.
struct SmallFile {
  char bytes[4'096];
  std::string_view text;

  explicit SmallFile(const char* path) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t count = ::read(file, bytes, sizeof bytes);
    ::close(file);
    if (count > 0) text = {bytes, static_cast<std::size_t>(count)};
  }
};

std::optional<std::size_t> number_in(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

std::size_t difference(std::size_t limit, std::size_t used) {
  return limit > used ? limit - used : 0;
}

std::size_t left_on_machine() {
  const SmallFile file("/proc/meminfo");
  constexpr std::string_view key = "MemAvailable:";
  const std::size_t at = file.text.find(key);
  if (at == std::string_view::npos) return unlimited;
  const auto kib = number_in(file.text.substr(at + key.size()));
  return kib ? *kib * 1'024 : unlimited;
}

std::size_t left_of_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const SmallFile file("/proc/self/statm");
  const auto pages = number_in(file.text);
  if (!pages) return unlimited;
  return difference(limit.rlim_cur, *pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
}

/// Returns the number in the file `name` of the folder `folder`; null if there is none.
std::optional<std::size_t> number_of_group(std::string_view folder, std::string_view name) {
  char path[2 * most_path_bytes];
  if (folder.size() + name.size() >= sizeof path) return std::nullopt;
  std::memcpy(path, folder.data(), folder.size());
  std::memcpy(path + folder.size(), name.data(), name.size());
  path[folder.size() + name.size()] = '\0';
  return number_in(SmallFile(path).text);
}

}  // namespace

std::size_t available_in_groups(std::string_view groups, std::string_view own) {
  constexpr std::string_view unified = "0::/";
  const std::size_t at = own.starts_with(unified) ? 0 : own.find("\n0::/");
  if (at == std::string_view::npos) return unlimited;
  own.remove_prefix(own.find(unified, at) + unified.size() - 1);
  own = own.substr(0, own.find('\n'));
  char folder[most_path_bytes];
  if (groups.size() + own.size() > sizeof folder) return unlimited;
  std::memcpy(folder, groups.data(), groups.size());
  std::memcpy(folder + groups.size(), own.data(), own.size());
  std::size_t left = unlimited;
  // A group is limited by the groups that contain it, too.
  for (std::string_view path(folder, groups.size() + own.size()); path.size() >= groups.size();
       path = path.substr(0, path.rfind('/'))) {
    while (path.ends_with('/'))
      path.remove_suffix(1);
    const auto limit = number_of_group(path, "/memory.max");
    const auto used = number_of_group(path, "/memory.current");
    if (limit && used) left = std::min(left, difference(*limit, *used));
    if (path.size() <= groups.size()) break;
  }
  return left;
}

std::size_t available_memory() {
  return std::min({left_on_machine(), left_of_address_space(),
                   available_in_groups("/sys/fs/cgroup", SmallFile("/proc/self/cgroup").text)});
}

}  // namespace jostle::server
