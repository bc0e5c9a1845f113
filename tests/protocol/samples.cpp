#include "tests/protocol/samples.h"

#include "protocol/limits.h"

#include <algorithm>

namespace jostle::protocol::samples {

Hello hello() {
  return {1, 2, 0x0123456789ABCDEFULL, 0xFEDCBA9876543210ULL, Role::Spectator, "Zoë", 77};
}

Welcome welcome() {
  return {{7}, 60, 2, {1234}, 9, "the server", 99};
}

Reject reject() {
  return {RejectCode::ServerFull, "server is full: 8 of 8 players"};
}

BlobAnnounce announce() {
  return {0xFEDCBA9876543210ULL, 54'321, BlobKind::Keyframe, 98'765};
}

ControlRequest request() {
  return {{state::ControlKind::Rate, 25}};
}

SceneInfo scene_info() {
  return {3, 31, "marble_run", "Marbles roll down a track."};
}

SceneRequest scene_request() {
  return {"tower"};
}

Notice notice() {
  return {"the server has no scene 'tower'"};
}

SceneStatus scene_status() {
  return {.is_paused = true, .is_gravity_off = true, .shoot_on_click = true, .rate_percent = 25};
}

SimulationStart simulation() {
  return {"crates.scene.json", "{}", 7, 50, {std::byte{1}, std::byte{2}, std::byte{250}}};
}

SetInterest set_interest() {
  return {{1, 2, -3}, {0.6f, 0, -0.8f}, 0.75f, 40, 125'000, {{7}, {9}}};
}

BlobChunk chunk() {
  return {42, 2048, {std::byte{1}, std::byte{2}, std::byte{250}}};
}

TimePing ping() {
  return {3, -1'000'000'000'000};
}

TimePong pong() {
  return {3, -1'000'000'000'000, 5, 6, {77}, 1'283'333, {74}};
}

InputPacket input_packet() {
  InputPacket packet;
  packet.ack.newest = {100};
  packet.ack.history = 0xF0F0F0F1U;
  packet.ack.partial = {{{101}, 5}, {{103}, 1ULL << 63}};
  state::PlayerInput walk;
  walk.tick = {110};
  walk.move_x = 0.6f;
  walk.move_z = -0.8f;
  walk.buttons = state::button_jump | state::button_push;
  state::PlayerInput act;
  act.tick = {112};
  act.actions = {{state::ActionKind::Push, {5}, {0.1f, 0.2f, 0.3f}, {10, 0, -10}},
                 {state::ActionKind::Shoot, {}, {1, 2, 3}, {0, 0, 40}},
                 {state::ActionKind::Grab, {6}, {0, 0.5f, 0}, {-4, 5, 6}}};
  act.custom = {std::byte{9}, std::byte{8}};
  packet.inputs = {walk, act};
  return packet;
}

state::TickCommands commands() {
  state::TickCommands commands;
  commands.tick = {500};
  const std::vector<state::PlayerInput> inputs = input_packet().inputs;
  commands.commands = {state::JoinCommand{{3}, "Ana"},
                       state::LeaveCommand{{2}},
                       state::ControlCommand{state::ControlKind::Step, 4},
                       state::JoinCommand{{4}, ""},
                       state::InputCommand{{1}, inputs[0]},
                       state::InputCommand{{3}, inputs[1]}};
  return commands;
}

InputFrames frames() {
  const state::TickCommands joined = commands();
  state::TickCommands next{joined.tick + 1, {}}, same{joined.tick + 2, {}};
  state::PlayerInput input = input_packet().inputs[1];
  input.tick = next.tick;
  next.commands = {state::InputCommand{{1}, input}};
  input.tick = same.tick;
  same.commands = {state::InputCommand{{1}, input}};
  return {{joined, next, same}, {498}, -2, 0x0102030405};
}

std::vector<LockstepMessage> lockstep_messages() {
  return {LockstepRequest{0x123456789ABCDEF0},
          DesyncQuestion{DesyncLevel::Ticks, {320}, 0, {1, 2, 0xFFFFFFFF}},
          DesyncAnswer{DesyncLevel::Bodies, {304}, 2, {137}, {7, 8}, {0x0102030405060708, 9}},
          DesyncReport{{304}, {137}, "tick 304: body 137"}};
}

state::WorldDef world() {
  state::WorldDef world;
  world.revision = 4;
  world.scene_name = "crates";
  world.camera = {{1, 2, 3}, {4, 5, 6}};
  state::BodyInfo ground;
  ground.id = {1};
  ground.motion = state::MotionType::Static;
  ground.shapes = {{state::plane(), {}}};
  ground.grabbable = false;
  ground.name = "ground";
  state::BodyInfo dumbbell;
  dumbbell.id = {3};
  dumbbell.pose = {{-1.5, 1e6, 0.25}, {0, 0.6f, 0, 0.8f}};
  dumbbell.shapes = {{state::sphere(0.5f), {{1, 0, 0}, {}}},
                     {state::sphere(0.5f), {{-1, 0, 0}, {1, 0, 0, 0}}},
                     {state::capsule(0.1f, 1.0f), {}}};
  dumbbell.colour = {1, 2, 3};
  dumbbell.owner = {2};
  state::BodyInfo lift;
  lift.id = {8};
  lift.motion = state::MotionType::Kinematic;
  lift.shapes = {{state::box({1, 0.5f, 2}), {}}};
  world.bodies = {ground, dumbbell, lift};
  return world;
}

state::WorldChange change() {
  state::WorldChange change;
  change.revision = 5;
  change.despawns = {{3}, {8}};
  change.spawns = {world().bodies[1], world().bodies[2]};
  change.spawns[0].id = {9};
  change.spawns[1].id = {10};
  return change;
}

SnapshotHeader header() {
  return {{1000}, 7, 1, 3, 400, 250, {1003}, -2, 5, 0x123456789ABCLL};
}

math::Quat random_rotation(base::Random& random) {
  math::Quat q;
  do {
    q = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
         random.between(-1, 1)};
  } while (math::dot(q, q) > 1.0f || math::dot(q, q) < 0.01f);
  return math::normalized(q);
}

QuantizedBody random_body(base::Random& random) {
  const math::Position position{static_cast<double>(random.between(-50, 50)),
                                static_cast<double>(random.between(0, 20)),
                                static_cast<double>(random.between(-50, 50))};
  return quantize({position, random_rotation(random)}, random.chance(0.7f));
}

state::PlayerInput random_input(base::Random& random, state::Tick tick) {
  state::PlayerInput input;
  input.tick = tick;
  input.move_x = random.between(-0.7f, 0.7f);
  input.move_z = random.between(-0.7f, 0.7f);
  input.buttons = static_cast<std::uint16_t>(random.below(0x10000));
  const std::uint32_t actions = random.below(state::max_actions_per_input + 1);
  for (std::uint32_t i = 0; i < actions; ++i) {
    const auto place = [&] {
      return math::Vec3{random.between(-9, 9), random.between(-9, 9), random.between(-9, 9)};
    };
    input.actions.push_back({static_cast<state::ActionKind>(random.below(state::action_kind_count)),
                             {random.below(1000)},
                             place(),
                             place()});
  }
  const std::uint32_t custom = random.below(state::max_custom_bytes + 1);
  for (std::uint32_t i = 0; i < custom; ++i)
    input.custom.push_back(static_cast<std::byte>(random.below(256)));
  return input;
}

state::BodyInfo random_body_info(base::Random& random, state::BodyId id) {
  state::BodyInfo body;
  body.id = id;
  body.motion = static_cast<state::MotionType>(random.below(state::motion_type_count));
  body.pose = dequantize(random_body(random));
  body.colour = {static_cast<std::uint8_t>(random.below(256)),
                 static_cast<std::uint8_t>(random.below(256)), 3};
  body.owner = {static_cast<std::uint16_t>(random.below(5))};
  body.grabbable = random.chance(0.5f);
  if (random.chance(0.3f)) body.name = "body " + std::to_string(id.value);
  const std::uint32_t shapes = random.below(4);
  for (std::uint32_t i = 0; i < shapes; ++i) {
    const float size = 0.5f + static_cast<float>(random.below(4));
    const state::Shape kinds[] = {state::sphere(size), state::box({size, 1, 2}),
                                  state::capsule(size, 1), state::plane()};
    state::BodyShape shape{kinds[random.below(4)], {}};
    if (random.chance(0.5f)) shape.local = {{size, 0, 0}, random_rotation(random)};
    body.shapes.push_back(shape);
  }
  return body;
}

bool is_valid(const QuantizedBody& body) {
  return body.largest < 4 && std::ranges::all_of(body.smallest, [](std::uint16_t component) {
           return component <= rotation_max;
         });
}

QuantizedSnapshot resting(state::Tick tick, std::size_t count) {
  QuantizedSnapshot snapshot;
  snapshot.tick = tick;
  snapshot.world_revision = 1;
  for (std::size_t i = 0; i < count; ++i) {
    snapshot.ids.push_back({static_cast<std::uint32_t>(i + 1)});
    const auto x = static_cast<double>(i % 30), z = static_cast<double>(i / 30);
    snapshot.bodies.push_back(quantize({{x, 0.2, z}, {}}, false));
  }
  return snapshot;
}

QuantizedSnapshot moved(const QuantizedSnapshot& before, state::Tick tick, std::uint32_t one_in,
                        base::Random& random) {
  QuantizedSnapshot after = before;
  after.tick = tick;
  for (QuantizedBody& body : after.bodies) {
    if (random.below(one_in) != 0) {
      if (body.is_awake && random.chance(0.2f)) body.is_awake = false;
      continue;
    }
    const std::uint32_t reach = 1U << (1 + random.below(10));
    for (std::int32_t& axis : body.position)
      axis += static_cast<std::int32_t>(random.below(2 * reach)) - static_cast<std::int32_t>(reach);
    math::Quat q = dequantize(body).rotation;
    q.x += random.between(-0.2f, 0.2f);
    q.z += random.between(-0.2f, 0.2f);
    const QuantizedBody turned = quantize({{}, math::normalized(q)}, true);
    body.largest = turned.largest;
    body.smallest = turned.smallest;
    body.is_awake = !random.chance(0.1f);
  }
  return after;
}

void History::put(const QuantizedSnapshot& snapshot) {
  auto& bodies = ticks_[snapshot.tick.number];
  for (std::size_t i = 0; i < snapshot.ids.size(); ++i)
    bodies[snapshot.ids[i].value] = snapshot.bodies[i];
}

BaselineLookup History::lookup() const {
  return [this](state::BodyId id, state::Tick tick) -> const QuantizedBody* {
    const auto bodies = ticks_.find(tick.number);
    if (bodies == ticks_.end()) return nullptr;
    const auto body = bodies->second.find(id.value);
    return body == bodies->second.end() ? nullptr : &body->second;
  };
}

SnapshotHeader header_of(const QuantizedSnapshot& snapshot, const std::vector<EncodedPart>& parts,
                         std::size_t index) {
  SnapshotHeader header;
  header.tick = snapshot.tick;
  header.world_revision = snapshot.world_revision;
  header.part = static_cast<std::uint8_t>(index);
  header.parts = static_cast<std::uint8_t>(parts.size());
  header.first = parts[index].first;
  header.count = parts[index].count;
  return header;
}

std::string to_hex(const std::vector<std::byte>& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    const auto value = std::to_integer<unsigned>(byte);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

}  // namespace jostle::protocol::samples
