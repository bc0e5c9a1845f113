#include "server/token_store.h"

#include "shared/base/log.h"

#include <chrono>
#include <thread>

namespace jostle::server {
namespace {

// Time for which a use waits for the lock of another server.
constexpr int lock_attempts = 200;
constexpr std::chrono::milliseconds lock_pause(5);

bool refuse(const secure::TokenId& id, const std::string& why) {
  base::error("token rejected", {{"token", secure::to_string(id)}, {"why", why}});
  return false;
}

}  // namespace

TokenStore::TokenStore(net::Io& io, std::string folder, journal::Executor* executor)
    : executor_(executor), disk_(new Disk{.io = io, .folder = std::move(folder)}) {}

template <typename Job>
bool TokenStore::run(Job&& job) {
  constexpr std::size_t job_bytes = 256;
  if (executor_ != nullptr) return executor_->post(job_bytes, std::forward<Job>(job));
  job();
  return true;
}

TokenStore::Pending TokenStore::store(const keyring::UsedToken& token) {
  auto answer = std::make_shared<std::atomic<Answer>>(Answer::Waiting);
  const bool is_queued = run([disk = disk_, token, answer] {
    answer->store(disk->store(token) ? Answer::Stored : Answer::Refused);
  });
  if (!is_queued) {
    (void)refuse(token.id, "the disk is too slow");
    answer->store(Answer::Refused);
  }
  return answer;
}

void TokenStore::read_revoked() {
  (void)run([disk = disk_] { disk->read_revoked(); });
}

std::optional<std::set<secure::TokenId>> TokenStore::take_revoked() {
  const std::lock_guard lock(disk_->mutex);
  return std::exchange(disk_->revoked, std::nullopt);
}

base::Result<std::set<secure::TokenId>, std::string> TokenStore::begin(
    secure::TokenRegistry& tokens) {
  const auto held = disk_->lock();
  const auto listed = keyring::read_used_tokens(disk_->io, disk_->folder);
  if (!listed) return listed.error();
  std::set<secure::TokenId> unsafe;
  if (listed->tokens.empty() && listed->torn_line == 0) return unsafe;
  for (const keyring::UsedToken& token : listed->tokens)
    tokens.remember(token.id, token.client, token.not_after_s);
  tokens.forget_expired(disk_->io.unix_time_s());
  if (listed->torn_line != 0)
    base::warn("tokens.used ends in an incomplete line, which is removed",
               {{"line", listed->torn_line}});
  for (const auto& [id, use] : tokens.uses())
    disk_->used.emplace(id, keyring::UsedToken{id, use.not_after_s, use.client});
  std::string why = "'" + disk_->folder + "/tokens.lock' cannot be locked";
  if (held != nullptr) {
    const auto written = keyring::write_used_tokens(disk_->io, disk_->folder, tokens);
    if (written) return unsafe;
    why = written.error();
  }
  base::warn("used tokens cannot be written; clients that return wait for that", {{"why", why}});
  disk_->is_damaged = true;
  for (const auto& [id, use] : tokens.uses())
    unsafe.insert(id);
  return unsafe;
}

/// Waits for the lock of the folder; null if it cannot be had.
std::unique_ptr<net::OutputFile> TokenStore::Disk::lock() {
  for (int i = 0; i < lock_attempts; ++i) {
    auto file = io.open_output(folder + "/tokens.lock");
    if (file) return *std::move(file);
    if (file.error() != net::IoError::FileInUse) return nullptr;
    std::this_thread::sleep_for(lock_pause);
  }
  return nullptr;
}

bool TokenStore::Disk::store(const keyring::UsedToken& token) {
  const auto held = lock();
  if (held == nullptr) return refuse(token.id, "'" + folder + "/tokens.lock' cannot be locked");
  const auto added = keyring::read_new_used_tokens(io, folder, seen);
  if (!added) return refuse(token.id, added.error());
  for (const keyring::UsedToken& one : *added) {
    if (used.emplace(one.id, one).second) doubtful.insert(one.id);
  }
  if (const auto known = used.find(token.id); known != used.end()) {
    if (known->second.client != token.client)
      return refuse(token.id, "another client has used it at another server");
    is_damaged = is_damaged || doubtful.contains(token.id);
    if (!is_damaged) return true;
  }
  if (const auto written = write(token); !written) return refuse(token.id, written.error());
  used.emplace(token.id, token);
  return true;
}

/// Appends a use to the list. After an error, replaces the whole list.
base::Result<base::Ok, std::string> TokenStore::Disk::write(const keyring::UsedToken& token) {
  if (!is_damaged) {
    auto added = keyring::add_used_token(io, folder, token);
    is_damaged = !added;
    return added;
  }
  std::vector<keyring::UsedToken> tokens;
  for (const auto& [id, one] : used)
    tokens.push_back(one);
  if (!used.contains(token.id)) tokens.push_back(token);
  auto written = keyring::write_used_tokens(io, folder, tokens);
  is_damaged = !written;
  if (written) doubtful.clear();
  return written;
}

void TokenStore::Disk::read_revoked() {
  const auto has_changed = keyring::have_revoked_tokens_changed(io, folder, revoked_seen);
  if (has_changed && !*has_changed) return revoked_fault.reset();
  auto read = keyring::read_revoked_tokens(io, folder);
  if (has_changed && read) {
    revoked_fault.reset();
    const std::lock_guard held(mutex);
    revoked = *std::move(read);
    return;
  }
  // The tokens that were revoked before stay revoked. An error that persists is logged once, not
  // every second.
  const std::string fault = has_changed ? read.error() : has_changed.error();
  if (fault != revoked_fault) base::error("revoked tokens cannot be read", {{"why", fault}});
  revoked_fault = fault;
}

}  // namespace jostle::server
