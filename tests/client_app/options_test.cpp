#include "client/app/options.h"

#include "client/app/view_interest.h"
#include "protocol/detail/checks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace jostle::client_app {
namespace {

ParsedOptions parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "jostle-view");
  return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

TEST(Options, ParseServerSizeAndRunOptions) {
  const ParsedOptions parsed = parse({"example.org:9000", "--size", "640x360", "--offscreen",
                                      "--frames", "12", "--script", "demo", "--name", "ada"});
  ASSERT_FALSE(parsed.exit_code) << parsed.text;
  EXPECT_EQ(parsed.options.host, "example.org");
  EXPECT_EQ(parsed.options.port, 9000);
  EXPECT_EQ(parsed.options.size, (render::Size{640, 360}));
  EXPECT_EQ(parsed.options.frames, 12U);
  EXPECT_EQ(parsed.options.script, controls::Script::Demo);
  EXPECT_TRUE(parsed.options.is_offscreen);
}

TEST(Options, ParseServersByNameAndByAddressOfBothFamilies) {
  const auto server = [](const char* text) {
    const Options options = parse({text}).options;
    return options.host + " " + std::to_string(options.port);
  };
  EXPECT_EQ(server("example.org"), "example.org 7777");
  EXPECT_EQ(server("127.0.0.1:9000"), "127.0.0.1 9000");
  EXPECT_EQ(server("[::1]:9000"), "::1 9000");
  EXPECT_EQ(server("[::1]"), "::1 7777");
  EXPECT_EQ(server("::1"), "::1 7777");
  EXPECT_EQ(parse({"[::1]:x"}).text,
            "jostle-view: server: '[::1]:x' is not HOST, HOST:PORT or [IPV6]:PORT with PORT "
            "from 1 to 65535 (see jostle-view --help)");
}

TEST(Options, AcceptASceneFileInsteadOfAServer) {
  EXPECT_EQ(parse({"a/my.scene.json"}).options.scene_path, "a/my.scene.json");
  EXPECT_EQ(parse({"MY.JSON"}).options.scene_path, "MY.JSON");
  EXPECT_TRUE(parse({"json"}).options.scene_path.empty());
  EXPECT_TRUE(has_interactive_user(parse({"my.scene.json", "--predict"}).options));
  for (const char* option : {"--lan", "--list-scenes", "--lockstep"})
    EXPECT_EQ(parse({"my.scene.json", option}).exit_code, 2) << option;
  EXPECT_EQ(parse({"my.scene.json", "--scene", "crates"}).text,
            "jostle-view: --scene applies to servers, not to the preview of a scene file (see "
            "jostle-view --help)");
}

TEST(Options, AcceptLanInsteadOfAServer) {
  EXPECT_TRUE(parse({"--lan"}).options.is_lan);
  EXPECT_FALSE(parse({}).options.is_lan);
  EXPECT_EQ(parse({"--lan", "host"}).exit_code, 2);
  EXPECT_EQ(parse({"--lan", "--list-scenes"}).exit_code, 2);
  EXPECT_TRUE(parse({"127.0.0.1"}).options.is_server_named);
  EXPECT_FALSE(parse({"--name", "Ann"}).options.is_server_named);
}

TEST(Options, AreAttendedUnlessAnEndIsSet) {
  const auto attended = [](std::vector<const char*> arguments) {
    return has_interactive_user(parse(std::move(arguments)).options);
  };
  EXPECT_TRUE(attended({}));
  EXPECT_TRUE(attended({"host:9", "--renderer", "gl"}));
  EXPECT_FALSE(attended({"--offscreen"}));
  EXPECT_FALSE(attended({"--renderer", "none"}));
  EXPECT_FALSE(attended({"--frames", "5"}));
  EXPECT_FALSE(attended({"--duration", "5"}));
  EXPECT_FALSE(attended({"--screenshot", "a.png"}));
}

TEST(Options, ParseScenes) {
  EXPECT_EQ(parse({"--scene", "tower"}).options.scene, "tower");
  EXPECT_TRUE(parse({"--list-scenes", "host:9"}).options.is_scene_list);
  EXPECT_FALSE(parse({}).options.is_scene_list);
  EXPECT_TRUE(parse({}).options.scene.empty());
}

TEST(Options, ParseAGalleryOfScenes) {
  const Options some = parse({"--gallery", "out", "--scene", "wall", "--scene", "pool"}).options;
  EXPECT_EQ(some.gallery_folder, "out");
  EXPECT_EQ(some.gallery_scenes, (std::vector<std::string>{"wall", "pool"}));
  EXPECT_FALSE(some.gallery_size);
  const Options all = parse({"--gallery", "out", "--size", "320x180"}).options;
  EXPECT_TRUE(all.gallery_scenes.empty());
  EXPECT_EQ(all.gallery_size, (render::Size{320, 180}));
  EXPECT_TRUE(parse({"--scene", "wall"}).options.gallery_folder.empty());
  // A positional argument after a scene's name is not another scene.
  EXPECT_EQ(parse({"--scene", "wall", "example.org"}).options.host, "example.org");
  for (const auto& wrong :
       std::vector<std::vector<const char*>>{{"--gallery", "out", "host:9"},
                                             {"--gallery", "out", "--no-hud"},
                                             {"--gallery", "out", "--frames", "4"},
                                             {"--gallery", ""},
                                             {"--scene", "wall", "--scene", "pool"}})
    EXPECT_EQ(parse(wrong).exit_code, 2) << wrong.back();
}

TEST(Options, ParsePanelsOpenAtTheStart) {
  using panels::Panel;
  EXPECT_EQ(parse({}).options.panels, bit_of(Panel::Hud));
  EXPECT_EQ(parse({"--net-graph"}).options.panels, bit_of(Panel::Hud) | bit_of(Panel::NetGraph));
  EXPECT_EQ(parse({"--panels", "help,scenes"}).options.panels,
            bit_of(Panel::Help) | bit_of(Panel::Scenes));
  EXPECT_EQ(parse({"--panels", "none"}).options.panels, 0);
  EXPECT_EQ(parse({"--panels", "none", "--net-graph"}).options.panels, bit_of(Panel::NetGraph));
  EXPECT_EQ(parse({"--panels", "all"}).options.panels, panels::all_panels);
  EXPECT_EQ(parse({"a.jrec", "--panels", "all"}).options.panels,
            panels::recording_panels & panels::all_panels);
  EXPECT_EQ(parse({"--panels", "console,settings"}).options.panels,
            bit_of(Panel::Console) | bit_of(Panel::Settings));
  EXPECT_EQ(parse({"a.jrec", "--panels", "hud,net-graph"}).text,
            "jostle-view: --panels: net-graph is not available with a recording (see jostle-view "
            "--help)");
  EXPECT_EQ(parse({"--panels", "hud,none"}).text,
            "jostle-view: --panels: 'none' cannot be combined with other panels (see jostle-view "
            "--help)");
  for (const auto& wrong : std::vector<std::vector<const char*>>{
           {"--panels", "hut"}, {"--panels", ""}, {"--panels", "hud", "--no-hud"}})
    EXPECT_EQ(parse(wrong).exit_code, 2) << wrong[1];
}

TEST(Options, ParseTokensAndKeys) {
  const Options options = parse({"--psk", "f", "--known-servers", "k", "--key", "o"}).options;
  EXPECT_EQ(options.access.psk_path, "f");
  EXPECT_EQ(options.access.known_path, "k");
  EXPECT_EQ(options.access.key_path, "o");
  EXPECT_EQ(parse({"--token", "@file"}).options.access.token, "@file");
  EXPECT_EQ(parse({"--token", "hello"}).exit_code, 2);
  EXPECT_EQ(parse({"--token", "@file", "--psk", "f"}).exit_code, 2);
}

TEST(Options, ParsePrediction) {
  EXPECT_TRUE(parse({"--predict"}).options.is_predicting);
  EXPECT_FALSE(parse({}).options.is_predicting);
}

TEST(Options, ParseRateLimitAndInterestRadius) {
  const Options options = parse({"--max-rate", "1000", "--interest-radius", "40.5"}).options;
  EXPECT_EQ(options.max_rate_kbps, 1000);
  EXPECT_EQ(options.interest_radius_m, 40.5);
  const protocol::SetInterest interest = interest_in(render::View{}, {1280, 720}, options);
  EXPECT_EQ(interest.max_bytes_per_second, 125'000U);
  EXPECT_EQ(interest.radius, 40.5f);
  EXPECT_EQ(interest.forward, (math::Vec3{0, 0, -1}));
  // The half angle is that of a cone through the corners of a 16:9 picture with a vertical field of
  // view of 0.9 rad.
  EXPECT_NEAR(interest.half_angle, 0.777, 0.001);
  EXPECT_FALSE(protocol::detail::check(interest));
}

TEST(Options, ParseProfiles) {
  EXPECT_EQ(parse({}).options.profile, protocol::Profile::Visual);
  EXPECT_EQ(parse({"--profile", "fine"}).options.profile, protocol::Profile::Fine);
  EXPECT_EQ(parse({"--profile", "lossless", "--hash-log", "h"}).options.profile,
            protocol::Profile::Lossless);
}

TEST(Options, ExitWithTwoAndOneLineIfInvalid) {
  const std::vector<std::vector<const char*>> bad{{"--bogus"},
                                                  {"host:0"},
                                                  {"host:x"},
                                                  {":7777"},
                                                  {"[::1]:0"},
                                                  {"[::1"},
                                                  {"::1:99999"},
                                                  {"--size", "9"},
                                                  {"--size", "1x1"},
                                                  {"--renderer", "3d"},
                                                  {"--script", "dance"},
                                                  {"--predict", "--spectate"},
                                                  {"--name", ""},
                                                  {"--scene", ""},
                                                  {"--frames", "-3"},
                                                  {"--duration", "-1"},
                                                  {"--duration", "nan"},
                                                  {"--timeout", "NaN"},
                                                  {"--max-rate", "-1"},
                                                  {"--interest-radius", "nan"},
                                                  {"--interest-radius", "-2"},
                                                  {"--profile", "exact"},
                                                  {"--profile", "fine", "--predict"},
                                                  {"--profile", "fine", "--interest-radius", "9"},
                                                  {"--profile", "fine", "--hash-log", "h"},
                                                  {"--renderer", "none", "--screenshot", "a.png"}};
  for (const auto& arguments : bad) {
    SCOPED_TRACE(arguments.back());
    const ParsedOptions parsed = parse(arguments);
    EXPECT_EQ(parsed.exit_code, 2);
    EXPECT_FALSE(parsed.text.empty());
    EXPECT_EQ(std::count(parsed.text.begin(), parsed.text.end(), '\n'), 0);
  }
}

TEST(Options, NameTheInvalidWordAndTheAcceptedOnes) {
  EXPECT_EQ(
      parse({"--script", "dance"}).text,
      "jostle-view: --script: 'dance' is not one of none, demo, walk (see jostle-view --help)");
}

TEST(Options, ExitWithZeroForVersionAndHelp) {
  EXPECT_EQ(parse({"--version"}).exit_code, 0);
  EXPECT_EQ(parse({"--help"}).exit_code, 0);
}

/// A folder for files, which is removed with its contents.
class OutputOptions : public testing::Test {
 protected:
  OutputOptions() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    for (const char* name : {"my.scene.json", "a.jrec", "b.jrec", "view.toml"})
      std::ofstream(path(name)) << name;
  }
  ~OutputOptions() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Returns the error without "jostle-view: " and the reference to --help.
  static std::string fault(const std::vector<std::string>& arguments) {
    std::vector<const char*> texts;
    for (const std::string& argument : arguments)
      texts.push_back(argument.c_str());
    const ParsedOptions parsed = parse(texts);
    if (!parsed.exit_code) return "accepted";
    EXPECT_EQ(parsed.exit_code, 2);
    return parsed.text.substr(13, parsed.text.find(" (see jostle-view --help)") - 13);
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / "jostle_output_options";
};

TEST_F(OutputOptions, AreAcceptedIfTheyReplaceNoInput) {
  EXPECT_EQ(fault({path("my.scene.json"), "--screenshot", path("a.png"), "--hash-log", path("h")}),
            "accepted");
  EXPECT_EQ(fault({path("a.jrec"), "--screenshot", path("A.PNG")}), "accepted");
  EXPECT_EQ(fault({"--hash-log", "/dev/null"}), "accepted");
}

TEST_F(OutputOptions, AreRefusedIfTheyWouldReplaceAFileThatIsRead) {
  for (const char* name : {"my.scene.json", "a.jrec", "b.jrec", "view.toml"})
    std::filesystem::create_symlink(name, path(name) + ".png");
  EXPECT_EQ(fault({path("my.scene.json"), "--screenshot", path("my.scene.json.png")}),
            "--screenshot: '" + path("my.scene.json.png") +
                "' would overwrite a file of the scene that is shown; choose another file");
  EXPECT_NE(fault({path("a.jrec"), "--screenshot", path("a.jrec.png")}), "accepted");
  EXPECT_NE(
      fault({path("a.jrec"), "--compare", path("b.jrec"), "--screenshot", path("b.jrec.png")}),
      "accepted");
  EXPECT_NE(fault({"--settings", path("view.toml"), "--hash-log", path("view.toml")}), "accepted");
  EXPECT_NE(fault({"--screenshot", path("view.toml.png"), "--hash-log", path("view.toml")}),
            "accepted");
}

TEST_F(OutputOptions, AreRefusedInTheFolderOfSettings) {
  const std::filesystem::path settings = folder_ / "jostle";
  std::filesystem::create_directory(settings);
  const char* const before = std::getenv("XDG_CONFIG_HOME");
  const std::optional<std::string> kept =
      before == nullptr ? std::nullopt : std::optional<std::string>(before);
  ::setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  const std::string words = fault({"--hash-log", (settings / "known_servers").string()});
  kept ? ::setenv("XDG_CONFIG_HOME", kept->c_str(), 1) : ::unsetenv("XDG_CONFIG_HOME");
  EXPECT_EQ(words, "--hash-log: '" + (settings / "known_servers").string() +
                       "' would overwrite a file of the folder of settings and known servers; "
                       "choose another file");
}

TEST_F(OutputOptions, AreRefusedIfTheEndingIsThatOfAnotherKindOfFile) {
  EXPECT_EQ(fault({path("my.scene.json"), "--screenshot", path("my.scene.json")}),
            "--screenshot: '" + path("my.scene.json") + "' does not end with .png; did you mean '" +
                path("my.scene.json.png") + "'?");
  EXPECT_EQ(fault({"--hash-log", path("a.jrec")}),
            "--hash-log: '" + path("a.jrec") +
                "' ends with .jrec, but a log is plain text; did you mean '" + path("a.jrec.txt") +
                "'?");
}

TEST_F(OutputOptions, RefuseAFolderAsTheSettingsFile) {
  EXPECT_EQ(fault({"--settings", folder_.string()}),
            "--settings: '" + folder_.string() + "' is a folder, not a file");
  EXPECT_EQ(fault({"--settings", path("new.toml")}), "accepted");
}

TEST_F(OutputOptions, RefuseAGalleryFolderThatCannotBeWritten) {
  EXPECT_EQ(fault({"--gallery", path("new/folder")}), "accepted");
  EXPECT_FALSE(std::filesystem::exists(path("new")));
  std::ofstream(path("file")) << "text";
  EXPECT_EQ(fault({"--gallery", path("file")}),
            "--gallery: '" + path("file") + "' is a file, not a folder");
  // The file system /proc contains no new folders, not even of the superuser.
  EXPECT_EQ(fault({"--gallery", "/proc/x"}).find("--gallery: cannot write to folder '/proc': "),
            0U);
}

TEST_F(OutputOptions, AreRefusedIfNoFileCanBeWrittenThere) {
  std::filesystem::create_directory(path("b.png"));
  EXPECT_EQ(fault({"--screenshot", folder_.string()}),
            "--screenshot: '" + folder_.string() + "' is a folder, not a file");
  EXPECT_EQ(fault({"--screenshot", path("b.png")}),
            "--screenshot: '" + path("b.png") + "' is a folder, not a file");
  EXPECT_EQ(fault({"--hash-log", folder_.string()}),
            "--hash-log: '" + folder_.string() + "' is a folder, not a file");
  EXPECT_EQ(fault({"--screenshot", path("no/a.png")}),
            "--screenshot: cannot write '" + path("no/a.png") + "': there is no folder '" +
                path("no") + "'");
}

TEST_F(OutputOptions, AreRefusedInAFolderThatTheUserMayNotWriteTo) {
  constexpr uid_t unprivileged = 65'534;
  std::filesystem::permissions(folder_, std::filesystem::perms(0555));
  const bool is_root = ::geteuid() == 0;  // root may write to all folders
  ASSERT_EQ(is_root ? ::seteuid(unprivileged) : 0, 0);
  const std::string words = fault({"--hash-log", path("h")});
  const std::string words_of_frames = fault({"--video-frames", folder_.string()});
  ASSERT_EQ(is_root ? ::seteuid(0) : 0, 0);
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  EXPECT_EQ(words, "--hash-log: cannot write '" + path("h") + "': permission denied");
  EXPECT_EQ(words_of_frames,
            "--video-frames: cannot write '" + path("frame-000001.png") + "': permission denied");
}

TEST(Options, AcceptARecordingInPlaceOfAServer) {
  const ParsedOptions parsed = parse({"a.jrec", "--compare", "b.jrec", "--at-tick", "900",
                                      "--offscreen", "--screenshot", "a.png", "--no-hud"});
  ASSERT_FALSE(parsed.exit_code) << parsed.text;
  EXPECT_EQ(parsed.options.recording_path, "a.jrec");
  EXPECT_EQ(parsed.options.compare_path, "b.jrec");
  EXPECT_EQ(parsed.options.at_tick, 900U);
  EXPECT_EQ(parse({"RUNS/A.JREC"}).options.recording_path, "RUNS/A.JREC");
  EXPECT_TRUE(parse({"localhost"}).options.recording_path.empty());
}

TEST(Options, RefuseServerOptionsWithARecording) {
  const std::vector<std::vector<const char*>> lines{
      {"a.jrec", "--lockstep"},         {"a.jrec", "--predict"},     {"a.jrec", "--script", "demo"},
      {"a.jrec", "--net-sim", "cable"}, {"a.jrec", "--list-scenes"}, {"a.jrec", "--name", "ada"},
      {"a.jrec", "--hash-log", "h"},    {"a.jrec", "--spectate"},    {"a.jrec", "--scene", "wall"},
      {"a.jrec", "--at-tick", "-1"},    {"a.jrec", "--at-tick", "x"}};
  for (const auto& line : lines) {
    const ParsedOptions parsed = parse(line);
    EXPECT_EQ(parsed.exit_code, 2) << line.back();
    EXPECT_NE(parsed.text.find(line[1]), std::string::npos) << parsed.text;
    EXPECT_EQ(std::count(parsed.text.begin(), parsed.text.end(), '\n'), 0) << parsed.text;
  }
  EXPECT_EQ(parse({"a.jrec", "--renderer", "none"}).exit_code, 2);
  EXPECT_EQ(parse({"--compare", "b.jrec"}).exit_code, 2);
  EXPECT_EQ(parse({"--at-tick", "4"}).exit_code, 2);
}

TEST(Options, ParseACameraAsTwoPoints) {
  const ParsedOptions parsed = parse({"--camera", "12,8.5,-1e3:0,1,0", "--draw-mode", "x-ray"});
  ASSERT_FALSE(parsed.exit_code) << parsed.text;
  EXPECT_EQ(parsed.options.camera, (state::Camera{{12, 8.5, -1000}, {0, 1, 0}}));
  EXPECT_EQ(parsed.options.look, render::BodyLook::XRay);
  for (const char* wrong : {"", "1,2,3", "1,2,3:", "1,2,3:4,5", "1,2,3:4,5,6,7", "1,2,3:1,2,3",
                            "nan,0,0:1,1,1", "1e30,0,0:1,1,1", "1, 2,3:4,5,6", "1;2;3:4,5,6"})
    EXPECT_EQ(parse({"--camera", wrong}).exit_code, 2) << wrong;
}

TEST(Options, SayWhyACameraIsInvalid) {
  const auto fault = [](const char* text) {
    const std::string words = parse({"--camera", text}).text;
    return words.substr(23, words.find(" (see") - 23);
  };
  EXPECT_EQ(fault("1e9,0,0:1,1,1"),
            "'1e9' is not a coordinate from -10000000 to 10000000 m, the range of positions in a "
            "world");
  EXPECT_EQ(fault("1,2,3"),
            "'1,2,3' is not X,Y,Z:X,Y,Z, two points in metres, such as 12,8,12:0,1,0");
  EXPECT_EQ(fault("1,2,3:1,2,3"),
            "'1,2,3:1,2,3': the two points are equal, so the camera has no direction");
}

TEST_F(OutputOptions, RefuseAPathThatIsNeitherASceneFileNorARecording) {
  std::ofstream(path("a.png")) << "a";
  EXPECT_EQ(fault({folder_.string()}),
            "'" + folder_.string() +
                "' is a folder; expected a server, HOST[:PORT], a scene file (.json) or a "
                "recording (.jrec)");
  EXPECT_EQ(
      fault({path("a.png")}),
      "the file '" + path("a.png") + "' is neither a scene file (.json) nor a recording (.jrec)");
  EXPECT_EQ(fault({path("no")}),
            "there is no file '" + path("no") +
                "'; expected a server, HOST[:PORT], a scene file (.json) or a recording (.jrec)");
  EXPECT_EQ(fault({path("my")}),
            "there is no file '" + path("my") + "'; did you mean '" + path("my.scene.json") + "'?");
  EXPECT_EQ(fault({path("b")}),
            "there is no file '" + path("b") + "'; did you mean '" + path("b.jrec") + "'?");
  EXPECT_NE(fault({"."}), "accepted");
}

}  // namespace
}  // namespace jostle::client_app
