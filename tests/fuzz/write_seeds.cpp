// Writes seeds for the fuzz targets: one valid input of each kind, made by the current encoders.
// `./run fuzz --pack` calls it: fuzz_write_seeds FOLDER scenes
#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "protocol/inspect_codec.h"
#include "protocol/lockstep_codec.h"
#include "protocol/simulation_codec.h"
#include "protocol/snapshot_codec.h"
#include "protocol/visuals_codec.h"
#include "protocol/world_codec.h"
#include "shared/compression/compression.h"
#include "shared/lan/lan_wire.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/secure/handshake_wire.h"
#include "shared/secure/token.h"
#include "shared/sim/default_rules.h"
#include "tests/net/enet_bytes.h"
#include "tests/protocol/samples.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace jostle {
namespace {

using Bytes = std::vector<std::byte>;

/// A writer of seed files, which also counts them.
class Seeds {
 public:
  explicit Seeds(std::filesystem::path root) : root_(std::move(root)) {}

  /// Writes one seed of a target. `head` contains the choices that the target reads before `bytes`.
  void write(const std::string& target, const std::string& name, std::initializer_list<int> head,
             std::span<const std::byte> bytes) {
    const std::filesystem::path folder = root_ / target;
    std::filesystem::create_directories(folder);
    std::ofstream file(folder / ("seed-" + name), std::ios::binary);
    for (const int choice : head)
      file.put(static_cast<char>(choice));
    for (const std::byte byte : bytes)
      file.put(static_cast<char>(byte));
    is_good_ = is_good_ && file.good();
    ++count_;
  }
  bool is_good() const { return is_good_; }
  int count() const { return count_; }

 private:
  std::filesystem::path root_;
  bool is_good_ = true;
  int count_ = 0;
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

void write_handshake(Seeds& seeds) {
  using namespace secure;
  const Bytes message(noise_first_overhead + auth_text_bytes), answer(accept_bytes - 9);
  const Bytes token(token_bytes);
  // The padding is omitted, because the target sets the type and the length itself.
  const auto shortened = [](Bytes bytes) {
    if (bytes.size() > 100) bytes.resize(100);
    return bytes;
  };
  constexpr int head = 2;
  seeds.write("handshake", "hello", {head, 0, 0, 1, 0}, shortened(encode(Hello{.nonce = 7})));
  seeds.write("handshake", "cookie", {head, 1, 0, 1, 0}, encode(Cookie{.nonce = 7, .stamp = {}}));
  seeds.write("handshake", "auth", {head, 2, 0, 1, 0},
              shortened(encode(Auth{.stamp = {}, .message = message})));
  seeds.write("handshake", "accept", {head, 3, 0, 0, 0}, encode(Accept{.message = answer}));
  seeds.write("handshake", "auth_text", {head, 4, 0, 0, 1}, encode_auth_text(token));
  seeds.write("handshake", "accept_text", {head, 4, 0, 0, 2},
              encode(AcceptText{.session = 5, .client = 6}));
}

void write_token(Seeds& seeds) {
  const crypto::Ed25519Seed issuer;
  const Bytes token = secure::encode_token({.client = 9, .not_after_s = 2'000}, issuer);
  const std::string text = secure::token_text(token);
  seeds.write("token", "text", {3, 0}, bytes_of(text));
  seeds.write("token", "base64", {1, 0}, bytes_of(std::string_view(text).substr(15)));
  seeds.write("token", "bytes", {6, 0}, token);
  seeds.write("token", "body", {0, 0}, std::span(token).first(99));
}

void write_lan(Seeds& seeds) {
  const Bytes probe = encode(lan::DiscoveryRequest{.nonce = 7});
  const lan::ServerInfo facts{
      .port = 7777, .protocol_version = {}, .places = 16, .name = "jostle", .scene = "crates"};
  const Bytes answer = encode(lan::DiscoveryResponse{.nonce = 7, .instance = 9, .facts = facts});
  seeds.write("lan", "probe", {2}, probe);
  seeds.write("lan", "answer", {2}, answer);
  seeds.write("lan", "changed_probe", {1}, std::span(probe).subspan(8, 8));
  // The bytes are the nonce, the instance, the port, the access mode and the number of players. Two
  // texts with their lengths follow.
  seeds.write(
      "lan", "own_answer", {0},
      bytes_of(std::string_view("12345678abcdefgh\x61\x1e\2\3\0\4\0Ann\x1b\3\0\xc3\xa4x", 32)));
}

/// Writes datagrams that each break exactly one rule of the firewall.
template <typename Write>
void write_enet_near_misses(Write write) {
  using namespace net;
  FragmentFields fragment{.sequence = 101, .number = 1, .offset = 1'140};
  fragment.offset = 1'139;
  write("bad-offset", fragment_datagram(fragment));
  fragment = {.count = 14};
  write("bad-count", fragment_datagram(fragment));
  fragment = {.sequence = 115, .number = 15, .offset = 17'100};
  write("bad-number", fragment_datagram(fragment));
  fragment = {.sequence = 102};
  write("bad-sequence", fragment_datagram(fragment));
  fragment = {.count = 15, .total = 16'385};
  write("bad-total", fragment_datagram(fragment));
  fragment = {.length = 1'139, .payload = 1'139};
  write("bad-length", fragment_datagram(fragment));
  fragment = {.channel = 1};
  write("bad-fragment-channel", fragment_datagram(fragment));
  write("bad-mtu", connect_datagram({.mtu = 1'400}));
  write("bad-window", connect_datagram({.window = 65'537}));
  write("bad-channels", connect_datagram({.channels = 5}));
  write("bad-throttle", connect_datagram({.throttle_deceleration = 2}));
  write("bad-session", verify_datagram({.incoming_session = 4}));
  write("bad-bandwidth", EnetBytes().header(0).command(0x8A, 0xFF, 2).u32(1).u32(0).take());
  write("bad-acknowledge", EnetBytes().header(0).command(0x01, 0, 3).u16(4).u16(4'242).take());
  write("bad-reliable-channel", EnetBytes().header(0).command(0x86, 1, 1).u16(4).fill(4).take());
  write("bad-unsequenced-channel",
        EnetBytes().header(0).command(0x49, 0, 0).u16(1).u16(9).fill(9).take());
  write("bad-time", EnetBytes().header_without_time(0).command(0x85, 0xFF, 1).take());
  write("bad-flags", EnetBytes().header(0).command(0x45, 0xFF, 1).take());
  write("bad-flags-of-data", EnetBytes().header(0).command(0x46, 0, 1).u16(4).fill(4).take());
  write("unreliable", EnetBytes().header(0).command(0x07, 1, 0).u16(1).u16(4).fill(4).take());
  write("throttle", EnetBytes().header(0).command(0x8B, 0xFF, 1).u32(1).u32(2).u32(3).take());
  write("compressed", EnetBytes().u16(0xD000).u16(4'242).command(0x85, 0xFF, 1).take());
  EnetBytes pings;
  pings.header(0);
  for (unsigned i = 0; i <= max_commands_per_datagram; ++i)
    pings.command(0x85, 0xFF, i);
  write("33-commands", pings.take());
  auto two = verify_datagram({});
  for (const int byte : {0x85, 0xFF, 0, 1})
    two.push_back(static_cast<std::byte>(byte));
  write("verify-and-ping", two);
  write("too-long-unsequenced",
        EnetBytes().header(0).command(0x49, 1, 0).u16(1).u16(1'121).fill(1'121).take());
}

void write_enet(Seeds& seeds) {
  using namespace net;
  const auto write = [&](const std::string& name, const Bytes& bytes) {
    seeds.write("enet_firewall", name, {}, bytes);
    // The seed of enet_host is one datagram, preceded by its length.
    seeds.write("enet_host", name,
                {1, 1, static_cast<int>(bytes.size() & 0xFFU), static_cast<int>(bytes.size() >> 8)},
                bytes);
  };
  write("connect", connect_datagram({}));
  write("verify_connect", verify_datagram({}));
  write("fragment", fragment_datagram({.length = 1'140}));
  write("last_fragment", fragment_datagram({.sequence = 101,
                                            .start = 100,
                                            .length = 60,
                                            .count = 2,
                                            .number = 1,
                                            .total = 1'200,
                                            .offset = 1'140,
                                            .payload = 60}));
  write("ping", EnetBytes().header(0).command(0x85, 0xFF, 1).take());
  write("acknowledge", EnetBytes().header(0).command(0x01, 0, 3).u16(3).u16(4'242).take());
  write("disconnect", EnetBytes().header(0).command(0x84, 0xFF, 9).u32(1).take());
  write("reliable", EnetBytes().header(0).command(0x86, 0, 1).u16(4).fill(4).take());
  write("unsequenced", EnetBytes().header(0).command(0x49, 1, 0).u16(1).u16(9).fill(9).take());
  write("bandwidth", EnetBytes().header(0).command(0x8A, 0xFF, 2).u32(0).u32(0).take());
  write_enet_near_misses(write);
}

void write_client_messages(Seeds& seeds) {
  using namespace protocol;
  const auto write = [&](const std::string& name, int decoder, int channel, const Bytes& bytes) {
    seeds.write("client_to_server", name, {decoder}, bytes);
    // The seed of the whole server sends `bytes` from the first peer on `channel`, after its Hello.
    seeds.write("server", name,
                {0, 1, 0, 1, 6, 0, 2, 0, channel, static_cast<int>(bytes.size() & 0xFFU),
                 static_cast<int>(bytes.size() >> 8)},
                bytes);
  };
  write("hello", 0, 0, encode_control(samples::hello()));
  write("control_request", 0, 0, encode_control(samples::request()));
  write("scene_list_request", 0, 0, encode_control(SceneListRequest{}));
  write("scene_request", 0, 0, encode_control(samples::scene_request()));
  write("set_interest", 0, 0, encode_control(samples::set_interest()));
  write("simulation_request", 0, 0, encode_control(SimulationRequest{}));
  write("foresight_offer", 0, 0, encode_control(PredictionBaselineOffer{7, 9}));
  write("inspect_request", 0, 0, encode_control(InspectRequest{5, true, {9}}));
  write("input", 1, 1, encode_input(samples::input_packet()));
  write("ping", 2, 3, encode_ping(samples::ping()));
  seeds.write("client_to_server", "commands", {3}, encode_commands(samples::commands()));
  const auto lockstep = samples::lockstep_messages();
  write("lockstep_request", 4, 0, encode_lockstep(lockstep[0]));
  write("desync_answer", 4, 0, encode_lockstep(lockstep[2]));
  InputPacket reporting = samples::input_packet();
  reporting.frames = FrameReport{{900}, {896}, 7};
  write("frame_report", 1, 1, encode_input(reporting));
}

void write_server_messages(Seeds& seeds) {
  using namespace protocol;
  const auto write = [&](const std::string& name, int decoder, int channel, const Bytes& bytes) {
    seeds.write("server_to_client", name, {decoder}, bytes);
    if (channel < 0) return;
    seeds.write("client", name,
                {20, 1, channel, static_cast<int>(bytes.size() & 0xFFU),
                 static_cast<int>(bytes.size() >> 8)},
                bytes);
  };
  write("welcome", 0, 0, encode_control(samples::welcome()));
  write("reject", 0, 0, encode_control(samples::reject()));
  write("announce", 0, 0, encode_control(samples::announce()));
  write("scene_info", 0, 0, encode_control(samples::scene_info()));
  write("notice", 0, 0, encode_control(samples::notice()));
  write("scene-status", 0, 0, encode_control(samples::scene_status()));
  write("commands", 0, 0, encode_control(samples::commands()));
  write("change", 0, 0, encode_control(samples::change()));
  write("chunk", 1, 2, encode_chunk(samples::chunk()));
  write("pong", 2, 3, encode_pong(samples::pong()));
  const Bytes payload(20, std::byte{0x5A});
  for (const SnapshotCodec codec :
       {SnapshotCodec::BitPacked, SnapshotCodec::Context, SnapshotCodec::Predicted})
    write("snapshot" + std::to_string(static_cast<int>(codec)), 3, 1,
          encode_snapshot_message(samples::header(), codec, payload));
  state::ParticleFrame frame{.tick = {5}, .world_revision = 2, .groups = {}};
  state::ParticleGroup group;
  group.radius = 0.1f;
  group.positions = {{1, 2, 3}};
  group.velocities = {{0, 1, 0}};
  frame.groups.push_back(group);
  write("particles", 4, 1, encode_particles(frame)[0]);
  state::Labels labels;
  labels.lines.push_back({"energy", state::LabelKind::EnergyChange, 0.5f});
  write("readouts", 5, 1, encode_labels(labels));
  state::DebugDrawFrame debug_draw{{5}, {}, 1};
  debug_draw.items.push_back({{1, 2, 3}, {1, 3, 3}, state::DebugDrawKind::ContactNormal});
  write("overlay", 14, 1, encode_debug_draw(debug_draw, 2)[0]);
  write("statistics", 5, 1, encode_statistics({}));
  write("body_report", 5, 1, encode_body_report({{6}, {3}, 2.5f, 4, 12}));
  write("input_frames", 12, 1, encode_frames(samples::frames()).bytes);
  write("desync_question", 13, 0, encode_lockstep(samples::lockstep_messages()[1]));
  write("desync_report", 13, 0, encode_lockstep(samples::lockstep_messages()[3]));
  write("keyframe", 6, -1, encode_keyframe(samples::resting({9}, 5)));
  write("shape", 7, -1, encode_shape(state::capsule(1, 2)).bytes);
  for (const Blob& shape : encode_world(samples::world()).shapes)
    if (shape.bytes.size() < 2'000)
      write("shape-" + std::to_string(shape.content_hash % 1'000), 7, -1, shape.bytes);
  write("world", 8, -1, encode_world(samples::world()).world.bytes);
  write("simulation", 9, -1, encode_simulation(samples::simulation()).bytes);
  write("compressed", 10, -1, compression::compress(Bytes(4'096, std::byte{7})));
}

constexpr std::string_view tiny_scene = R"({
  "name": "tiny",
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "crate", "position": [0, 2, 0], "shape": { "box": { "size": [1, 1, 1] } } }
  ],
  "spawns": [ { "position": [3, 1, 0] } ]
})";

void write_recording(Seeds& seeds) {
  auto scene = scene::parse_scene(tiny_scene, "tiny.scene.json");
  if (!scene) return;
  sim::Simulation simulation(*std::move(scene), {60, 9}, sim::default_rules());
  Bytes bytes;
  record::RecordingWriter writer(simulation, record::rule_names(sim::default_rules()),
                                 "tiny.scene.json", [&](std::span<const std::byte> part) {
                                   bytes.insert(bytes.end(), part.begin(), part.end());
                                   return true;
                                 });
  for (std::uint32_t tick = 1; tick <= 3; ++tick) {
    state::TickCommands commands{{tick}, {}};
    if (tick == 2) commands.commands.push_back(state::JoinCommand{{1}, "ann"});
    simulation.step(commands);
    writer.add_tick(commands, simulation);
  }
  writer.close(simulation);
  seeds.write("recording", "whole", {0}, bytes);
  seeds.write("recording", "changed_state", {2, 1, 40, 0, 2, 1, 2}, {});
  seeds.write("recording", "sections", {1, 1, 4, 0, 1, 2, 3, 4, 2, 2, 0, 5, 6, 3, 0, 0}, {});
}

/// Writes the scenes of at most 6,000 bytes, which together contain most keys of the format.
/// Returns false if the folder cannot be read.
bool write_scenes(Seeds& seeds, const std::filesystem::path& scenes) {
  constexpr std::uintmax_t most_bytes = 6'000;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(scenes, error)) {
    if (entry.path().extension() != ".json" || entry.file_size() > most_bytes) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    seeds.write("scene_file", entry.path().stem().stem().string(), {}, bytes_of(text));
  }
  seeds.write("scene_file", "tiny", {}, bytes_of(tiny_scene));
  return !error;
}

}  // namespace
}  // namespace jostle

int main(int argument_count, char** arguments) {
  if (argument_count != 3) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER SCENES_FOLDER\n", arguments[0]);
    return 2;
  }
  jostle::Seeds seeds(arguments[1]);
  jostle::write_handshake(seeds);
  jostle::write_token(seeds);
  jostle::write_lan(seeds);
  jostle::write_enet(seeds);
  jostle::write_client_messages(seeds);
  jostle::write_server_messages(seeds);
  jostle::write_recording(seeds);
  const bool has_scenes = jostle::write_scenes(seeds, arguments[2]);
  if (!has_scenes || !seeds.is_good()) {
    std::fprintf(stderr, "not all seeds could be written\n");
    return 1;
  }
  std::printf("%d seeds\n", seeds.count());
  return 0;
}
