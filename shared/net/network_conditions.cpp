#include "shared/net/network_conditions.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>

namespace jostle::net {
namespace {

constexpr double max_milliseconds = 10'000;
constexpr double max_interval_ms = 600'000;
constexpr double max_kbits = 1e7;
constexpr double max_mtu = 65'507;

std::int64_t us_of(double milliseconds) {
  return std::llround(milliseconds * 1e3);
}
float share_of(double percent) {
  return static_cast<float>(percent * 1e-2);
}

LinkFaults faults_of(double latency_ms, double jitter_ms, double loss_percent,
                     std::int64_t bytes_per_s = 0) {
  LinkFaults faults;
  faults.latency_us = us_of(latency_ms);
  faults.jitter_us = us_of(jitter_ms);
  faults.loss = share_of(loss_percent);
  faults.bandwidth_bytes_per_s = bytes_per_s;
  return faults;
}

/// Wi-Fi with power save: the access point holds datagrams to the client until the client's radio
/// wakes; the client sends with little delay.
NetworkConditions wifi_power_save() {
  NetworkConditions wifi{faults_of(5, 10, 0.5), faults_of(5, 5, 0.5)};
  wifi.down.delivery_interval_us = 100'000;
  wifi.up.delivery_interval_us = 50'000;
  return wifi;
}

/// LTE in a moving car: every 10 s the phone changes its cell. The link stands still for 150 ms,
/// and the route of the next cell has 30 ms more latency.
NetworkConditions lte_handover() {
  NetworkConditions lte{faults_of(25, 15, 0.2, 500'000), faults_of(25, 10, 0.2, 2'000'000)};
  for (LinkFaults* way : {&lte.up, &lte.down}) {
    way->stall = {.interval_us = 10'000'000, .length_us = 150'000};
    way->delay_step_interval_us = 10'000'000;
    way->delay_step_us = 30'000;
    way->queue_us = 500'000;
  }
  return lte;
}

/// ADSL whose upstream is narrow and has a buffer of one second.
NetworkConditions adsl_upload() {
  NetworkConditions adsl{faults_of(15, 3, 0.1, 16'000), faults_of(15, 3, 0.1, 250'000)};
  adsl.up.queue_us = 1'000'000;
  adsl.down.queue_us = 300'000;
  return adsl;
}

/// A train: losses in bursts, a tunnel of 1.5 s every 20 s, and a new external port every minute.
NetworkConditions train() {
  NetworkConditions train{faults_of(45, 40, 1, 250'000), faults_of(45, 40, 1, 500'000)};
  for (LinkFaults* way : {&train.up, &train.down}) {
    way->burst_loss = {.entry = 0.01f, .exit = 0.1f, .loss = 0.7f};
    way->blackout = {.interval_us = 20'000'000, .length_us = 1'500'000};
    way->queue_us = 500'000;
  }
  train.up.rebind_interval_us = 60'000'000;
  return train;
}

NetworkConditions both_ways(const LinkFaults& faults) {
  return {faults, faults};
}

std::optional<double> number_within(std::string_view text, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

/// The unit of a setting's number, which also limits it.
enum class Unit : std::uint8_t { Milliseconds, IntervalMs, Percent, Kbits, Bytes };

struct Setting {
  std::string_view name;
  std::string_view form;  // the value's form, for users: units separated by slashes
  std::array<Unit, 3> units;
  std::size_t count;
  void (*set)(LinkFaults& faults, std::span<const double> values);
};

/// The settings, in the order of net_sim_settings().
constexpr Setting settings[] = {
    {"latency",
     "MS",
     {Unit::Milliseconds},
     1,
     [](LinkFaults& f, std::span<const double> v) { f.latency_us = us_of(v[0]); }},
    {"jitter",
     "MS",
     {Unit::Milliseconds},
     1,
     [](LinkFaults& f, std::span<const double> v) { f.jitter_us = us_of(v[0]); }},
    {"loss",
     "PERCENT",
     {Unit::Percent},
     1,
     [](LinkFaults& f, std::span<const double> v) { f.loss = share_of(v[0]); }},
    {"burst-loss",
     "ENTRY/EXIT/LOSS",
     {Unit::Percent, Unit::Percent, Unit::Percent},
     3,
     [](LinkFaults& f, std::span<const double> v) {
       f.burst_loss = {share_of(v[0]), share_of(v[1]), share_of(v[2])};
     }},
    {"duplicate",
     "PERCENT",
     {Unit::Percent},
     1,
     [](LinkFaults& f, std::span<const double> v) { f.duplication = share_of(v[0]); }},
    {"reorder",
     "PERCENT/MS",
     {Unit::Percent, Unit::Milliseconds},
     2,
     [](LinkFaults& f, std::span<const double> v) {
       f.reordering = share_of(v[0]);
       f.reorder_delay_us = us_of(v[1]);
     }},
    {"corrupt",
     "PERCENT",
     {Unit::Percent},
     1,
     [](LinkFaults& f, std::span<const double> v) { f.corruption = share_of(v[0]); }},
    {"rate",
     "KBIT/S",
     {Unit::Kbits},
     1,
     [](LinkFaults& f, std::span<const double> v) {
       f.bandwidth_bytes_per_s = std::llround(v[0] * 125);
     }},
    {"queue",
     "MS",
     {Unit::Milliseconds},
     1,
     [](LinkFaults& f, std::span<const double> v) { f.queue_us = us_of(v[0]); }},
    {"mtu",
     "BYTES",
     {Unit::Bytes},
     1,
     [](LinkFaults& f, std::span<const double> v) {
       f.mtu_bytes = static_cast<std::size_t>(v[0]);
     }},
    {"bursts",
     "MS",
     {Unit::Milliseconds},
     1,
     [](LinkFaults& f, std::span<const double> v) { f.delivery_interval_us = us_of(v[0]); }},
    {"stall",
     "MS/EVERY_MS",
     {Unit::Milliseconds, Unit::IntervalMs},
     2,
     [](LinkFaults& f, std::span<const double> v) {
       f.stall = {us_of(v[1]), us_of(v[0])};
     }},
    {"blackout",
     "MS/EVERY_MS",
     {Unit::Milliseconds, Unit::IntervalMs},
     2,
     [](LinkFaults& f, std::span<const double> v) {
       f.blackout = {us_of(v[1]), us_of(v[0])};
     }},
    {"delay-step",
     "MS/EVERY_MS",
     {Unit::Milliseconds, Unit::IntervalMs},
     2,
     [](LinkFaults& f, std::span<const double> v) {
       f.delay_step_us = us_of(v[0]);
       f.delay_step_interval_us = us_of(v[1]);
     }},
    {"rebind",
     "EVERY_MS",
     {Unit::IntervalMs},
     1,
     [](LinkFaults& f, std::span<const double> v) { f.rebind_interval_us = us_of(v[0]); }},
};

double limit_of(Unit unit) {
  switch (unit) {
    case Unit::Milliseconds:
      return max_milliseconds;
    case Unit::IntervalMs:
      return max_interval_ms;
    case Unit::Percent:
      return 100;
    case Unit::Kbits:
      return max_kbits;
    case Unit::Bytes:
      break;
  }
  return max_mtu;
}

std::string limits_text(const Setting& setting) {
  std::string text = std::string(setting.form) + " with ";
  for (std::size_t i = 0; i < setting.count; ++i) {
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%s0 to %.0f", i == 0 ? "" : ", ",
                  limit_of(setting.units[i]));
    text += number.data();
  }
  return text;
}

/// Applies one setting, such as "up.rate=64". Returns the error message; empty if there is none.
std::string apply(std::string_view text, NetworkConditions& conditions) {
  const std::string quoted = "'" + std::string(text) + "'";
  const bool is_up = text.starts_with("up."), is_down = text.starts_with("down.");
  if (is_up || is_down) text.remove_prefix(text.find('.') + 1);
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  for (const Setting& setting : settings) {
    if (setting.name != name) continue;
    std::string_view rest = equals == std::string_view::npos ? "" : text.substr(equals + 1);
    if (rest.ends_with('%')) rest.remove_suffix(1);
    std::array<double, 3> values{};
    for (std::size_t i = 0; i < setting.count; ++i) {
      const bool is_last = i + 1 == setting.count;
      const std::size_t end = is_last ? rest.size() : std::min(rest.find('/'), rest.size());
      std::string_view part = rest.substr(0, end);
      rest.remove_prefix(is_last ? end : std::min(end + 1, rest.size()));
      if (part.ends_with('%')) part.remove_suffix(1);
      const auto value = number_within(part, limit_of(setting.units[i]));
      if (!value) return quoted + ": expected " + std::string(name) + "=" + limits_text(setting);
      values[i] = *value;
    }
    if (!is_down) setting.set(conditions.up, values);
    if (!is_up) setting.set(conditions.down, values);
    return {};
  }
  return quoted + " is not a setting of a network: expected one of " + net_sim_settings() +
         ", with the prefix up. or down. for one direction";
}

std::optional<NetworkConditions> parse_base(std::string_view text) {
  for (const NetProfile& profile : net_profiles())
    if (text == profile.name) return profile.conditions;
  const std::size_t first = text.find('/');
  const std::size_t second = first == std::string_view::npos ? first : text.find('/', first + 1);
  if (second == std::string_view::npos || !text.ends_with('%')) return std::nullopt;
  const auto latency = number_within(text.substr(0, first), max_milliseconds);
  const auto jitter = number_within(text.substr(first + 1, second - first - 1), max_milliseconds);
  const auto loss = number_within(text.substr(second + 1, text.size() - second - 2), 100);
  if (!latency || !jitter || !loss) return std::nullopt;
  return both_ways(faults_of(*latency, *jitter, *loss));
}

std::string number_text(const char* format, double a, double b = 0) {
  std::array<char, 120> text{};
  std::snprintf(text.data(), text.size(), format, a, b);
  return text.data();
}
double ms_of(std::int64_t us) {
  return static_cast<double>(us) * 1e-3;
}
double percent_of(float share) {
  return std::round(static_cast<double>(share) * 1e4) * 1e-2;
}

std::string describe_link(const LinkFaults& faults) {
  std::string text = number_text("%g ms, up to %g ms of jitter", ms_of(faults.latency_us),
                                 ms_of(faults.jitter_us)) +
                     number_text(", %g %% lost", percent_of(faults.loss));
  const auto add = [&text](bool is_present, const std::string& words) {
    if (is_present) text += ", " + words;
  };
  add(faults.burst_loss.entry > 0,
      number_text("%g %% in bursts", percent_of(faults.burst_loss.loss)));
  add(faults.bandwidth_bytes_per_s > 0,
      number_text("%g kbit/s", static_cast<double>(faults.bandwidth_bytes_per_s) / 125));
  add(faults.delivery_interval_us > 0,
      number_text("delivered every %g ms", ms_of(faults.delivery_interval_us)));
  add(faults.stall.interval_us > 0,
      number_text("stalls of %g ms every %g ms", ms_of(faults.stall.length_us),
                  ms_of(faults.stall.interval_us)));
  add(faults.blackout.interval_us > 0,
      number_text("blackouts of %g ms every %g ms", ms_of(faults.blackout.length_us),
                  ms_of(faults.blackout.interval_us)));
  add(faults.delay_step_interval_us > 0,
      number_text("%g ms more in every second interval of %g ms", ms_of(faults.delay_step_us),
                  ms_of(faults.delay_step_interval_us)));
  add(faults.duplication > 0, number_text("%g %% duplicated", percent_of(faults.duplication)));
  add(faults.reordering > 0, number_text("%g %% reordered", percent_of(faults.reordering)));
  add(faults.corruption > 0, number_text("%g %% corrupted", percent_of(faults.corruption)));
  add(faults.mtu_bytes > 0, number_text("at most %g B", static_cast<double>(faults.mtu_bytes)));
  add(faults.rebind_interval_us > 0,
      number_text("a new port every %g ms", ms_of(faults.rebind_interval_us)));
  return text;
}

}  // namespace

const std::vector<NetProfile>& net_profiles() {
  // Latency and jitter are those of one direction: half of the round trip.
  static const std::vector<NetProfile> profiles{
      {"broadband", both_ways(faults_of(10, 2, 0.1))},
      {"wifi", both_ways(faults_of(12, 15, 1))},
      {"mobile", both_ways(faults_of(35, 25, 2, 1'000'000))},
      {"bad", both_ways(faults_of(60, 60, 10, 250'000))},
      {"satellite", both_ways(faults_of(300, 20, 1, 500'000))},
      {"wifi-power-save", wifi_power_save()},
      {"lte-handover", lte_handover()},
      {"adsl-upload", adsl_upload()},
      {"train", train()},
  };
  return profiles;
}

std::string net_profile_names() {
  std::string names;
  for (const NetProfile& profile : net_profiles())
    names += (names.empty() ? "" : ", ") + std::string(profile.name);
  return names;
}

std::string net_sim_settings() {
  std::string text;
  for (const Setting& setting : settings)
    text +=
        (text.empty() ? "" : ", ") + std::string(setting.name) + "=" + std::string(setting.form);
  return text;
}

base::Result<NetworkConditions, std::string> parse_net_sim(std::string_view text) {
  const std::size_t comma = text.find(',');
  auto conditions = parse_base(text.substr(0, comma));
  if (!conditions) {
    return "'" + std::string(text.substr(0, comma)) +
           "' is not a network: expected LATENCY/JITTER/LOSS% in ms up to 10000, such as "
           "40/10/5%, or one of " +
           net_profile_names();
  }
  while (text.find(',') != std::string_view::npos) {
    text.remove_prefix(text.find(',') + 1);
    if (auto fault = apply(text.substr(0, text.find(',')), *conditions); !fault.empty())
      return fault;
  }
  return *conditions;
}

std::string net_sim_fault(const std::string& text) {
  const auto conditions = parse_net_sim(text);
  return conditions ? std::string() : conditions.error();
}

std::string describe(const NetworkConditions& conditions) {
  if (conditions.up == conditions.down) return describe_link(conditions.up) + ", each way";
  return "up: " + describe_link(conditions.up) + "; down: " + describe_link(conditions.down);
}

}  // namespace jostle::net
