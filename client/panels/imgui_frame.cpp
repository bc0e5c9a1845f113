#include "client/panels/imgui_frame.h"

#include <imgui.h>
// The back end's header was renamed in Dear ImGui 1.87.
#if __has_include(<backends/imgui_impl_sdl2.h>)
#include <backends/imgui_impl_sdl2.h>
#elif __has_include(<imgui_impl_sdl2.h>)
#include <imgui_impl_sdl2.h>
#else
#include <backends/imgui_impl_sdl.h>
#endif
#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_opengl3.h>
#endif

#include <cmath>
#include <filesystem>
#include <system_error>

namespace jostle::panels {

namespace {

constexpr float font_size = 14;
// Where Debian, Ubuntu and Fedora keep fonts that most machines have; without one of them Dear
// ImGui's built-in font serves.
constexpr const char* font_paths[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
};

void load_font(float pixels_per_unit) {
  ImGuiIO& io = ImGui::GetIO();
  for (const char* path : font_paths) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) continue;
    if (io.Fonts->AddFontFromFileTTF(path, std::round(font_size * pixels_per_unit)) != nullptr) {
      io.FontGlobalScale = 1 / pixels_per_unit;
      return;
    }
  }
}

void apply_style() {
  ImGui::StyleColorsDark();
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 6;
  style.WindowBorderSize = 0;
  style.WindowPadding = {11, 9};
  style.ItemSpacing = {8, 3};
  style.Colors[ImGuiCol_WindowBg] = {0.07f, 0.09f, 0.12f, 0.74f};
  style.Colors[ImGuiCol_Text] = {0.95f, 0.96f, 0.97f, 1};
}

/// Back ends before 1.87 ask SDL where on the screen the mouse and the window are. On X11 it does
/// not know while a button is held, as the pointer is grabbed then, or where nothing manages
/// windows; by the window's own events it does.
void follow_mouse() {
#if IMGUI_VERSION_NUM < 18700
  if (SDL_GetMouseFocus() == nullptr && !ImGui::IsAnyMouseDown()) return;
  int x = 0, y = 0;
  SDL_GetMouseState(&x, &y);
  ImGui::GetIO().MousePos = {static_cast<float>(x), static_cast<float>(y)};
#endif
}

}  // namespace

std::unique_ptr<ImguiFrame> ImguiFrame::create(render::Window& window) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
  apply_style();
  load_font(window.pixels_per_unit());
  if (!ImGui_ImplSDL2_InitForOpenGL(window.handle(), window.context())) {
    ImGui::DestroyContext();
    return nullptr;
  }
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext();
    return nullptr;
  }
  return std::unique_ptr<ImguiFrame>(new ImguiFrame());
}

ImguiFrame::~ImguiFrame() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplSDL2_Shutdown();
  ImGui::DestroyContext();
}

void ImguiFrame::handle(const SDL_Event& event) {
  ImGui_ImplSDL2_ProcessEvent(&event);
}

bool ImguiFrame::takes(const SDL_Event& event) const {
  const bool is_mouse = event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_MOUSEWHEEL;
  if (is_mouse) return ImGui::GetIO().WantCaptureMouse;
  return event.type == SDL_KEYDOWN && ImGui::GetIO().WantTextInput;
}

void ImguiFrame::begin() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplSDL2_NewFrame();
  follow_mouse();
  ImGui::NewFrame();
}

void ImguiFrame::end() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace jostle::panels
