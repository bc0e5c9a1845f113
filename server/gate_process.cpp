#include "server/gate_process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

namespace jostle::server {
namespace {

/// Exit code of a child that could not start the program; the one that shells use.
constexpr int not_started = 127;

std::string gate_program() {
  namespace fs = std::filesystem;
  if (const char* const given = std::getenv("JOSTLE_GATE"); given != nullptr && *given != '\0')
    return given;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  std::vector<fs::path> places{self.parent_path()};
  Dl_info code{};  // the file that contains this code: libjostle.so, or the program
  if (dladdr(&not_started, &code) != 0 && code.dli_fname != nullptr) {
    // lib/libjostle.so, or lib/x86_64-linux-gnu/libjostle.so
    const fs::path folder = fs::absolute(code.dli_fname, error).parent_path();
    places.push_back(folder.parent_path() / "bin");
    places.push_back(folder.parent_path().parent_path() / "bin");
  }
  for (const fs::path& place : places)
    if (fs::exists(place / "jostle-gate", error)) return (place / "jostle-gate").string();
  return "jostle-gate";  // in a folder of PATH
}

}  // namespace

base::Result<std::unique_ptr<GateProcess>, std::string> GateProcess::start(
    const std::vector<std::string>& arguments) {
  const std::string program = gate_program();
  std::vector<char*> texts{const_cast<char*>(program.c_str()),
                           const_cast<char*>("--until-input-ends")};
  for (const std::string& argument : arguments)
    texts.push_back(const_cast<char*>(argument.c_str()));
  texts.push_back(nullptr);
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0)
    return std::string("cannot start jostle-gate: ") + std::strerror(errno);
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(pipe[0]);
    ::close(pipe[1]);
    return std::string("cannot start jostle-gate: ") + std::strerror(errno);
  }
  if (child == 0) {
    // Only functions that are safe after fork() are called here.
    if (::dup2(pipe[0], STDIN_FILENO) < 0) ::_exit(not_started);
    ::execvp(program.c_str(), texts.data());
    ::_exit(not_started);
  }
  ::close(pipe[0]);
  return std::unique_ptr<GateProcess>(new GateProcess(child, pipe[1]));
}

bool GateProcess::is_running() {
  if (child_ <= 0) return false;
  const pid_t ended = ::waitpid(child_, nullptr, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return true;
  child_ = -1;
  return false;
}

GateProcess::~GateProcess() {
  ::close(pipe_);
  if (child_ <= 0) return;
  ::kill(child_, SIGTERM);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

base::Result<std::unique_ptr<PrivateFolder>, std::string> PrivateFolder::create() {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  const auto make = [](const std::string& parent) {
    std::string path = parent + "/jostle-web-XXXXXX";
    return ::mkdtemp(path.data()) != nullptr ? path : std::string();
  };
  std::string path = runtime != nullptr && *runtime != '\0' ? make(runtime) : std::string();
  std::error_code error;
  const std::string temporary = std::filesystem::temp_directory_path(error).string();
  if (path.empty()) path = make(temporary);
  if (path.empty())
    return "cannot create a folder for the gate's socket in '" + temporary +
           "': " + std::strerror(errno);
  return std::unique_ptr<PrivateFolder>(new PrivateFolder(std::move(path)));
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace jostle::server
