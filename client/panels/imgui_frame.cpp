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

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace jostle::panels {

namespace {

constexpr float font_size = 14;
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

/// Sets Dear ImGui's mouse position, in panel units, from the window's own events. Dear ImGui's
/// back end uses SDL's global mouse and window positions instead. On X11 these are wrong without a
/// window manager, and while a button is held, because the pointer is grabbed. If the window has no
/// mouse focus, the mouse position becomes invalid.
void follow_mouse(SDL_Window* window, float scale) {
  int x = 0, y = 0;
  SDL_GetMouseState(&x, &y);
  ImVec2 position{static_cast<float>(x) / scale, static_cast<float>(y) / scale};
  if (SDL_GetMouseFocus() != window && !ImGui::IsAnyMouseDown()) position = {-FLT_MAX, -FLT_MAX};
#if IMGUI_VERSION_NUM < 18700
  ImGui::GetIO().MousePos = position;
#else
  ImGui::GetIO().AddMousePosEvent(position.x, position.y);
#endif
}

/// Sets Dear ImGui's modifiers to those of a key event. Back ends before 1.87 use SDL's current
/// modifiers instead; a modifier of the event may have been released by then.
void note_modifiers([[maybe_unused]] int held) {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  io.KeyCtrl = (held & KMOD_CTRL) != 0;
  io.KeyShift = (held & KMOD_SHIFT) != 0;
  io.KeyAlt = (held & KMOD_ALT) != 0;
  io.KeySuper = (held & KMOD_GUI) != 0;
#endif
}

}  // namespace

float settled_scale(double wanted, float density, render::Size window) {
  const float scale = wanted > 0 ? static_cast<float>(wanted) : density;
  const float room =
      std::min(static_cast<float>(window.width) / static_cast<float>(render::least_window.width),
               static_cast<float>(window.height) / static_cast<float>(render::least_window.height));
  return std::min(scale, std::max(room, 1.0f));
}

std::unique_ptr<ImguiFrame> ImguiFrame::create(render::Window& window) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
#if IMGUI_VERSION_NUM >= 18700
  // FrameEventQueue decides which events share a frame; Dear ImGui must not delay them further.
  ImGui::GetIO().ConfigInputTrickleEventQueue = false;
#endif
  apply_style();
  if (!ImGui_ImplSDL2_InitForOpenGL(window.handle(), window.context())) {
    ImGui::DestroyContext();
    return nullptr;
  }
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext();
    return nullptr;
  }
  std::unique_ptr<ImguiFrame> frame(new ImguiFrame(window));
  ImGui::GetIO().UserData = &frame->atlas_;
  return frame;
}

ImguiFrame::~ImguiFrame() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplSDL2_Shutdown();
  ImGui::DestroyContext();
}

bool is_function_key(const SDL_Event& event) {
  if (event.type != SDL_KEYDOWN) return false;
  const SDL_Scancode key = event.key.keysym.scancode;
  return (key >= SDL_SCANCODE_F1 && key <= SDL_SCANCODE_F12) ||
         (key >= SDL_SCANCODE_F13 && key <= SDL_SCANCODE_F24);
}

void ImguiFrame::handle(const SDL_Event& event) {
  SDL_Event scaled = event;
  if (event.type == SDL_MOUSEMOTION) {
    scaled.motion.x = static_cast<int>(static_cast<float>(event.motion.x) / scale_);
    scaled.motion.y = static_cast<int>(static_cast<float>(event.motion.y) / scale_);
  }
  ImGui_ImplSDL2_ProcessEvent(&scaled);
  if (event.type == SDL_KEYDOWN || event.type == SDL_KEYUP) note_modifiers(event.key.keysym.mod);
}

bool ImguiFrame::takes(const SDL_Event& event) const {
  const bool is_mouse = event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_MOUSEWHEEL;
  if (is_mouse) return ImGui::GetIO().WantCaptureMouse;
  return event.type == SDL_KEYDOWN && ImGui::GetIO().WantTextInput && !is_function_key(event);
}

void ImguiFrame::settle_scale() {
  scale_ = settled_scale(wanted_scale_, window_->density(), window_->size());
  const float pixels = std::round(font_size * scale_ * window_->pixels_per_unit());
  if (pixels == font_pixels_ && !atlas_.is_stale()) return;
  const bool is_first = font_pixels_ == 0;
  font_pixels_ = pixels;
  atlas_.build(pixels);
  ImGui::GetIO().FontGlobalScale = font_size / pixels;
  // The back end creates the first texture itself.
  if (is_first) return;
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void ImguiFrame::begin() {
  settle_scale();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplSDL2_NewFrame();
  // The back end uses window units. A panel unit is `scale_` window units.
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {io.DisplaySize.x / scale_, io.DisplaySize.y / scale_};
  io.DisplayFramebufferScale = {io.DisplayFramebufferScale.x * scale_,
                                io.DisplayFramebufferScale.y * scale_};
  follow_mouse(window_->handle(), scale_);
  ImGui::NewFrame();
}

void ImguiFrame::end() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace jostle::panels
