#include "tools/snapshots/decoder.h"

#include "shared/base/bytes.h"
#include "tools/snapshots/cpu_time.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>
#include <span>

// NOLINTNEXTLINE(readability-redundant-declaration): POSIX leaves it to programs, glibc does not
extern char** environ;

namespace jostle::snapshots {
namespace {

using protocol::QuantizedBody;

enum class Request : std::uint8_t { Acknowledge, Decode };
constexpr std::uint32_t max_block_bytes = 16U << 20;
constexpr std::size_t max_text_bytes = 1'024;

bool write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}
bool read_all(int file, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::read(file, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool write_block(int file, std::span<const std::byte> block) {
  base::ByteWriter length;
  length.u32(static_cast<std::uint32_t>(block.size()));
  return write_all(file, length.bytes()) && write_all(file, block);
}
std::optional<std::vector<std::byte>> read_block(int file) {
  std::vector<std::byte> length(4);
  if (!read_all(file, length)) return std::nullopt;
  base::ByteReader reader(length);
  const std::uint32_t size = reader.u32();
  if (size > max_block_bytes) return std::nullopt;
  std::vector<std::byte> block(size);
  if (!read_all(file, block)) return std::nullopt;
  return block;
}

constexpr std::size_t body_bytes = 3 * 4 + 1 + 3 * 2 + 1;

void write_frame(base::ByteWriter& writer, const Frame& frame) {
  writer.u32(static_cast<std::uint32_t>(frame.size()));
  for (const QuantizedBody& body : frame) {
    for (const std::int32_t x : body.position)
      writer.i32(x);
    writer.u8(body.largest);
    for (const std::uint16_t x : body.smallest)
      writer.u16(x);
    writer.boolean(body.is_awake);
  }
}
Frame read_frame(base::ByteReader& reader) {
  Frame frame(reader.count(body_bytes));
  for (QuantizedBody& body : frame) {
    for (std::int32_t& x : body.position)
      x = reader.i32();
    body.largest = reader.u8();
    for (std::uint16_t& x : body.smallest)
      x = reader.u16();
    body.is_awake = reader.boolean();
  }
  return frame;
}

void write_parts(base::ByteWriter& writer, const std::vector<Part>& parts) {
  writer.u32(static_cast<std::uint32_t>(parts.size()));
  for (const Part& part : parts) {
    writer.u32(part.first);
    writer.u32(part.count);
    writer.u32(static_cast<std::uint32_t>(part.payload.size()));
    writer.raw(part.payload);
  }
}
std::vector<Part> read_parts(base::ByteReader& reader) {
  std::vector<Part> parts(reader.count(3 * 4));
  for (Part& part : parts) {
    part.first = reader.u32();
    part.count = reader.u32();
    const auto payload = reader.raw(reader.count(1));
    part.payload.assign(payload.begin(), payload.end());
  }
  return parts;
}

/// Encodes an answer: an error message (empty on success), the times and the frame.
std::vector<std::byte> answer(const base::Result<Frame, std::string>& frame, double microseconds,
                              double prediction_baseline_us) {
  base::ByteWriter writer;
  writer.text(frame ? std::string() : frame.error());
  writer.f64(microseconds);
  writer.f64(prediction_baseline_us);
  write_frame(writer, frame ? *frame : Frame{});
  return writer.take();
}

}  // namespace

int serve_decoder(int input, int output, const FrameCodec& codec) {
  std::map<std::uint32_t, Frame> acknowledged;
  while (const auto block = read_block(input)) {
    base::ByteReader reader(*block);
    const auto request = static_cast<Request>(reader.u8());
    const std::uint32_t number = reader.u32();
    if (request == Request::Acknowledge) {
      acknowledged[number] = read_frame(reader);
      continue;
    }
    const std::uint32_t age = reader.u32(), gap = reader.u32();
    const std::vector<Part> parts = read_parts(reader);
    const auto baseline = acknowledged.find(number);
    const auto previous = acknowledged.find(number - gap);
    if (!reader.ok() || baseline == acknowledged.end() || previous == acknowledged.end()) return 1;
    double prediction_baseline_us = 0;
    const double begin = cpu_us();
    const auto frame = codec.decode(parts, {age, &baseline->second, gap, &previous->second},
                                    prediction_baseline_us);
    const double took = cpu_us() - begin - prediction_baseline_us;
    if (!write_block(output, answer(frame, took, prediction_baseline_us))) return 1;
  }
  return 0;
}

DecoderProcess::~DecoderProcess() {
  if (to_child_ >= 0) ::close(to_child_);
  if (from_child_ >= 0) ::close(from_child_);
  if (child_ > 0) ::waitpid(child_, nullptr, 0);
}

base::Result<bool, std::string> DecoderProcess::start(const std::string& program,
                                                      const std::vector<std::string>& arguments) {
  // Ignore SIGPIPE: a decoder that died is detected by its missing answer.
  std::signal(SIGPIPE, SIG_IGN);
  int down[2], up[2];
  if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0)
    return std::string("cannot create a pipe to the decoder: ") + std::strerror(errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, down[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, up[1], STDOUT_FILENO);
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  const int error =
      ::posix_spawn(&child_, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(down[0]);
  ::close(up[1]);
  to_child_ = down[1];
  from_child_ = up[0];
  if (error != 0) {
    child_ = -1;
    return "'" + program + "' could not be started: " + std::strerror(error);
  }
  return true;
}

bool DecoderProcess::acknowledge(std::uint32_t number, const Frame& frame) {
  base::ByteWriter writer;
  writer.u8(static_cast<std::uint8_t>(Request::Acknowledge));
  writer.u32(number);
  write_frame(writer, frame);
  return write_block(to_child_, writer.bytes());
}

base::Result<Decoded, std::string> DecoderProcess::decode(std::uint32_t baseline, std::uint32_t age,
                                                          std::uint32_t gap,
                                                          const std::vector<Part>& parts) {
  base::ByteWriter writer;
  writer.u8(static_cast<std::uint8_t>(Request::Decode));
  writer.u32(baseline);
  writer.u32(age);
  writer.u32(gap);
  write_parts(writer, parts);
  const bool is_sent = write_block(to_child_, writer.bytes());
  const auto block = is_sent ? read_block(from_child_) : std::nullopt;
  if (!block) return std::string("the decoder process ended early");
  base::ByteReader reader(*block);
  const std::string words = reader.text(max_text_bytes);
  Decoded decoded;
  decoded.microseconds = reader.f64();
  decoded.prediction_baseline_us = reader.f64();
  decoded.frame = read_frame(reader);
  if (!reader.ok()) return std::string("the answer of the decoder is invalid");
  if (!words.empty()) return words;
  return decoded;
}

}  // namespace jostle::snapshots
