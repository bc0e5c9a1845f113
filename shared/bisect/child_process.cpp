#include "shared/bisect/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace jostle::bisect {

ChildProcess::~ChildProcess() {
  if (output_ >= 0) ::close(output_);
  if (child_ < 0) return;
  if (!has_ended_) ::kill(child_, SIGTERM);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

base::Result<base::Ok, std::string> ChildProcess::start(const std::string& program,
                                                        const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return std::string("cannot create a pipe to the process");
  output_ = ends[0];
  ::fcntl(output_, F_SETFL, O_NONBLOCK);
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const int error =
      ::posix_spawnp(&child_, program.c_str(), &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error != 0) {
    child_ = -1;
    return "'" + program + "' cannot be started: " + std::string(std::strerror(error));
  }
  return base::Ok{};
}

std::vector<std::string> ChildProcess::take_lines() {
  std::array<char, 65'536> block;
  while (!has_ended_) {
    const ssize_t got = ::read(output_, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;  // no data yet
    if (got == 0) has_ended_ = true;
    text_.append(block.data(), static_cast<std::size_t>(got));
  }
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end; (end = text_.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text_.substr(begin, end - begin));
  text_.erase(0, begin);
  return lines;
}

}  // namespace jostle::bisect
