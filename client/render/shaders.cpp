#include "client/render/shaders.h"

namespace jostle::render {

namespace {

// Colours are linear; to_display() converts them for the screen. Offsets are relative to the eye,
// in world axes.
constexpr const char* common = R"(
uniform vec3 sun;            // unit vector towards the sun
uniform float fog_density;   // 1/m
uniform mat4 clip_from_offset;
uniform mat4 shadow_from_offset;
uniform float shadow_texel;  // m
uniform float shadow_step;   // one texel of the map in texture coordinates
uniform sampler2DShadow shadow_map;

const vec3 sun_colour = vec3(1.00, 0.90, 0.74) * 3.1;
const vec3 zenith = vec3(0.06, 0.20, 0.58);
const vec3 horizon = vec3(0.60, 0.77, 0.95);
const vec3 ambient_up = vec3(0.50, 0.62, 0.84) * 0.95;
const vec3 ambient_down = vec3(0.42, 0.37, 0.33) * 0.62;

vec3 to_linear(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

// Tone mapping (Narkowicz, "ACES Filmic Tone Mapping Curve", 2015), then the sRGB transfer
// function.
vec3 to_display(vec3 c) {
  c *= 0.50;
  c = clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
  c = max(mix(vec3(dot(c, vec3(0.2126, 0.7152, 0.0722))), c, 1.14), 0.0);
  // The transfer function is approximated by roots, with an error below half of 1/255: powers are
  // slow in software renderers.
  vec3 second = sqrt(c), fourth = sqrt(second), eighth = sqrt(fourth);
  return max(0.662 * second + 0.684 * fourth - 0.3235 * eighth - 0.0225 * c,
             12.92 * min(c, vec3(0.0031308)));
}

vec3 rotated(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}

// Colour of sleeping bodies: greyer and darker.
vec3 asleep(vec3 c) { return mix(c, vec3(dot(c, vec3(0.3, 0.59, 0.11))), 0.35) * 0.86; }

vec3 sky_colour(vec3 direction) {
  float height = max(direction.y, 0.0);
  float towards_sun = max(dot(direction, sun), 0.0);
  vec3 c = mix(horizon, zenith, 1.0 - exp(-4.5 * height));
  float glow = towards_sun * towards_sun;
  glow *= glow;
  return c + vec3(0.36, 0.25, 0.12) * glow * glow;
}

vec3 with_fog(vec3 c, vec3 offset) {
  float distance_m = length(offset);
  float clear = exp(-distance_m * fog_density);
  vec3 flat_direction = vec3(offset.x, 0.02 * distance_m, offset.z);
  return mix(sky_colour(normalize(flat_direction)), c, clear);
}

// Returns 1 in full light, 0 in shadow. `place` is in texture coordinates of the shadow map.
float light_at(vec3 place) {
#if SHADOW_TAPS == 0
  return 1.0;
#else
  vec2 from_centre = abs(place.xy - 0.5);
  float edge = max(from_centre.x, from_centre.y);
  if (edge > 0.5 || place.z > 1.0) return 1.0;
#if SHADOW_TAPS == 1
  float light = texture(shadow_map, place);
#else
  float s = shadow_step * 0.75;
  float light = texture(shadow_map, vec3(place.xy + vec2(-s, -s), place.z)) +
                texture(shadow_map, vec3(place.xy + vec2(s, -s), place.z)) +
                texture(shadow_map, vec3(place.xy + vec2(-s, s), place.z)) +
                texture(shadow_map, vec3(place.xy + vec2(s, s), place.z));
  light *= 0.25;
#endif
  return mix(light, 1.0, smoothstep(0.44, 0.5, edge));
#endif
}

vec3 lit(vec3 albedo, vec3 normal, vec3 to_eye, float light, float gloss) {
  float facing = max(dot(normal, sun), 0.0);
  vec3 ambient = mix(ambient_down, ambient_up, normal.y * 0.5 + 0.5);
  vec3 c = albedo * (sun_colour * (facing * light * 0.62) + ambient);
  float shine = max(dot(normal, normalize(sun + to_eye)), 0.0);
  shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine;
  float rim = 1.0 - max(dot(normal, to_eye), 0.0);
  rim *= rim; rim *= rim;
  return c + gloss * (sun_colour * (shine * light) + ambient_up * (rim * 0.55));
}
)";

constexpr const char* shape_vertex = R"(
layout(location = 0) in vec3 unit;
layout(location = 1) in vec3 unit_normal;
layout(location = 2) in float segment;
layout(location = 3) in vec4 place;  // offset from the eye, stretch
layout(location = 4) in vec4 rotation;
layout(location = 5) in vec3 scale;
layout(location = 6) in vec3 colour;
layout(location = 7) in uvec4 marks;  // pattern, glow, asleep, player

out vec3 offset;
out vec3 normal;
out vec3 local;
out vec3 local_normal;
out vec3 shadow_place;
flat out vec3 albedo;
flat out vec3 extents;
flat out uvec4 traits;

void main() {
  local = unit * scale + vec3(0.0, segment * place.w, 0.0);
  local_normal = unit_normal;
  offset = place.xyz + rotated(rotation, local);
  normal = rotated(rotation, normalize(unit_normal / scale));
  albedo = to_linear(colour);
  extents = scale + vec3(0.0, place.w, 0.0);
  traits = marks;
  // Offset along the normal, so that a surface does not shade itself.
  vec4 shadow = shadow_from_offset * vec4(offset + normal * (shadow_texel * 1.6), 1.0);
  shadow_place = shadow.xyz * 0.5 + 0.5;
  gl_Position = clip_from_offset * vec4(offset, 1.0);
}
)";

constexpr const char* shape_fragment = R"(
in vec3 offset;
in vec3 normal;
in vec3 local;
in vec3 local_normal;
in vec3 shadow_place;
flat in vec3 albedo;
flat in vec3 extents;
flat in uvec4 traits;
out vec4 pixel;

uniform float edge_strength;  // blends the colour of edges towards white
uniform float see_through;    // 1: faces towards the eye are translucent

float noise(float n) { return fract(sin(n * 12.9898) * 43758.547); }

// Returns the fraction of the pixel at `x` that is below `edge`: 1 below it, 0 above it, blended
// over one pixel.
float below(float edge, float x, float pixel_width) {
  return clamp((edge - x) / pixel_width + 0.5, 0.0, 1.0);
}

// Computes the position on the face and its half size, both in metres, longer side along x.
void face_of(out vec2 uv, out vec2 size, out float face) {
  vec3 a = abs(local_normal);
  if (a.x > 0.5) { uv = local.zy; size = extents.zy; face = local_normal.x; }
  else if (a.y > 0.5) { uv = local.xz; size = extents.xz; face = 3.0 + local_normal.y; }
  else { uv = local.xy; size = extents.xy; face = 7.0 + local_normal.z; }
  if (size.y > size.x) { uv = uv.yx; size = size.yx; }
}

// Planks behind a frame with a brace. Grooves are darker, and worn edges are brighter.
vec3 crate(vec3 base) {
  vec2 uv, size;
  float face;
  face_of(uv, size, face);
  float unit = size.y;
  vec2 to_edge = size - abs(uv);
  float edge = min(to_edge.x, to_edge.y);
  float w = max(fwidth(uv.x), fwidth(uv.y));
  float detail = clamp(1.6 - 9.0 * w / unit, 0.0, 1.0);  // fades out at a distance to avoid flicker

  float frame_width = unit * 0.25;
  float in_frame = below(frame_width, edge, w);
  float plank_width = unit * 0.375;
  float across = uv.y / plank_width;
  float plank = floor(across);
  float seam = min(fract(across), 1.0 - fract(across)) * plank_width;

  float brace_distance = 1e9;
  if (size.x < size.y * 1.8) {
    vec2 along = normalize(size);
    float tilt = face > 2.5 && face < 5.0 ? -1.0 : 1.0;
    brace_distance = abs(uv.x * along.y * tilt - uv.y * along.x);
  }
  float in_brace = below(unit * 0.13, brace_distance, w) * (1.0 - in_frame);
  float in_planks = (1.0 - in_frame) * (1.0 - in_brace);

  float board = in_planks > 0.5 ? plank : 17.0 + step(to_edge.x, to_edge.y);
  float tint = 1.0 + 0.10 * (noise(board + face * 5.3) - 0.5);
  float grain = sin(uv.y / unit * 46.0 + 3.0 * sin(uv.x / unit * 2.3 + board * 9.0)) * 0.028;
  float shade = mix(1.0, tint + grain, detail);
  float tone = in_frame * 1.0 + in_brace * 0.93 + in_planks * 0.70;
  float groove = below(unit * 0.022, seam, w) * in_planks * 0.42 +
                 below(unit * 0.045, abs(edge - frame_width - unit * 0.03), w) * in_planks * 0.34 +
                 below(unit * 0.045, abs(brace_distance - unit * 0.155), w) * in_planks * 0.30;
  float mitre = below(unit * 0.014, abs(to_edge.x - to_edge.y) * 0.707, w) * in_frame * 0.30;
  float worn = below(unit * 0.035, edge, w) * 0.16;
  return base * (tone * shade * (1.0 - (groove + mitre) * detail) + worn);
}

// A solid block with lighter edges.
vec3 block(vec3 base) {
  vec2 uv, size;
  float face;
  face_of(uv, size, face);
  vec2 to_edge = size - abs(uv);
  float edge = min(to_edge.x, to_edge.y);
  float w = max(fwidth(uv.x), fwidth(uv.y));
  float rim = below(min(0.05, size.y * 0.12), edge, w);
  return base * (0.94 + 0.22 * rim);
}

// Two tones like a beach ball and a white stripe, so that rolling is visible.
vec3 ball(vec3 base) {
  vec3 n = normalize(local_normal);
  float w = max(max(fwidth(n.x), fwidth(n.y)), fwidth(n.z));
  vec3 side = clamp(n / w + 0.5, 0.0, 1.0) * 2.0 - 1.0;
  float checker = side.x * side.z * 0.5 + 0.5;
  vec3 c = mix(base * 0.62, base, checker);
  float belt = below(0.13, abs(n.y), w);
  float line = below(0.19, abs(n.y), w) - belt;
  return mix(c, vec3(0.80), belt) * (1.0 - 0.55 * line);
}

vec3 capsule(vec3 base) {
  float straight = extents.y - extents.x;
  float w = max(fwidth(local.y), 1e-4);
  float y = abs(local.y);
  float cap = 1.0 - below(straight, y, w);
  float ring = below(extents.x * 0.10, abs(y - straight), w);
  float half_side = clamp(local_normal.x / max(fwidth(local_normal.x), 1e-4) + 0.5, 0.0, 1.0);
  vec3 c = base * mix(0.74, 1.0, max(half_side, cap));
  return mix(c, vec3(0.80), ring);
}

void main() {
  // Ghosts are drawn on every other pixel only.
  if (traits.x == 5u && (int(gl_FragCoord.x) + int(gl_FragCoord.y)) % 2 == 0) discard;
  vec3 n = normalize(normal);
  vec3 to_eye = -normalize(offset);
  vec3 c = albedo;
  float gloss = 0.05;
  if (traits.x == 1u) { c = crate(albedo); gloss = 0.03; }
  else if (traits.x == 2u) { c = ball(albedo); gloss = 0.22; }
  else if (traits.x == 3u) { c = capsule(albedo); gloss = 0.18; }
  else if (traits.x == 4u) { c = block(albedo); gloss = 0.02; }
  if (traits.z == 1u) c = asleep(c);

  float light = light_at(shadow_place);
  float facing = 1.0 - max(dot(n, to_eye), 0.0);
  vec3 result = lit(c, n, to_eye, light, gloss);
  if (traits.w >= 1u) result += (albedo * 0.8 + 0.25) * facing * facing * 0.9;
  if (traits.w == 2u) result += vec3(0.55, 0.85, 1.0) * facing * facing * facing;
  float glow = float(traits.y) / 255.0;
  if (traits.y == 255u) result = albedo * 1.8;
  else if (traits.y == 254u) result += vec3(0.10, 0.65, 1.0) * (0.12 + facing);
  else result += vec3(1.0, 0.72, 0.25) * glow * (0.35 + facing);
  result = mix(result, vec3(1.0), edge_strength);
  float alpha = traits.y == 255u ? 1.0 : mix(1.0, 0.16 + 0.7 * facing * facing, see_through);
  pixel = vec4(to_display(with_fog(result, offset)), alpha);
}
)";

// Shapes of a few pixels: lit per vertex, without patterns.
constexpr const char* speck_vertex = R"(
layout(location = 0) in vec3 unit;
layout(location = 1) in vec3 unit_normal;
layout(location = 2) in float segment;
layout(location = 3) in vec4 place;
layout(location = 4) in vec4 rotation;
layout(location = 5) in vec3 scale;
layout(location = 6) in vec3 colour;
layout(location = 7) in uvec4 marks;
out vec3 shade;

// Returns the mean colour of a shape's pattern.
vec3 toned(vec3 base, uint pattern) {
  if (pattern == 1u) return base * 0.85;
  if (pattern == 2u) return base * 0.68 + 0.10;
  if (pattern == 3u) return base * 0.83 + 0.05;
  return base;
}

void main() {
  vec3 offset = place.xyz + rotated(rotation, unit * scale + vec3(0.0, segment * place.w, 0.0));
  vec3 normal = rotated(rotation, normalize(unit_normal / scale));
  vec3 c = toned(to_linear(colour), marks.x);
  if (marks.z == 1u) c = asleep(c);
  vec3 shadow = (shadow_from_offset * vec4(offset + normal * (shadow_texel * 1.6), 1.0)).xyz;
  float light = light_at(shadow * 0.5 + 0.5);
  shade = to_display(with_fog(lit(c, normal, -normalize(offset), light, 0.05), offset));
  gl_Position = clip_from_offset * vec4(offset, 1.0);
}
)";

constexpr const char* speck_fragment = R"(
in vec3 shade;
out vec4 pixel;

void main() { pixel = vec4(shade, 1.0); }
)";

constexpr const char* shadow_vertex = R"(
layout(location = 0) in vec3 unit;
layout(location = 2) in float segment;
layout(location = 3) in vec4 place;
layout(location = 4) in vec4 rotation;
layout(location = 5) in vec3 scale;
layout(location = 7) in uvec4 marks;

void main() {
  vec3 local = unit * scale + vec3(0.0, segment * place.w, 0.0);
  vec3 offset = place.xyz + rotated(rotation, local);
  gl_Position = shadow_from_offset * vec4(offset, 1.0);
  // Glowing marks and ghosts cast no shadow.
  if (marks.y == 255u || marks.x == 5u) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
)";

constexpr const char* shadow_fragment = R"(
void main() {}
)";

// A square around the point of the plane below the eye, as two triangles.
constexpr const char* ground_vertex = R"(
uniform vec3 ground_origin;  // offset of the point below the eye
uniform vec3 ground_u;       // unit vectors in the plane
uniform vec3 ground_v;
uniform vec2 grid_origin;  // ground_origin in plane coordinates, modulo the pattern
uniform float ground_extent; // m
out vec3 offset;
out vec2 grid;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec2 inside = corner * ground_extent;
  offset = ground_origin + ground_u * inside.x + ground_v * inside.y;
  grid = grid_origin + inside;
  gl_Position = clip_from_offset * vec4(offset, 1.0);
}
)";

constexpr const char* ground_fragment = R"(
uniform vec3 ground_colour;
uniform vec3 ground_u;
uniform vec3 ground_v;
uniform float grid_step;  // m between thin lines; every tenth line is strong
in vec3 offset;
in vec2 grid;
out vec4 pixel;

// Returns the coverage of lines of width `width` at integer positions, averaged over a pixel of
// size `w`. It fades out if the lines are finer than pixels.
float lines(vec2 p, vec2 w, float width) {
  vec2 to_line = abs(fract(p - 0.5) - 0.5);
  vec2 covered = clamp((width * 0.5 - to_line) / w + 0.5, 0.0, 1.0) * min(width / w, 1.0);
  vec2 fade = clamp(1.0 - (w - 0.15) * 2.5, 0.0, 1.0);
  covered *= fade;
  return max(covered.x, covered.y);
}

void main() {
  vec3 normal = cross(ground_v, ground_u);
  vec3 shadow = (shadow_from_offset * vec4(offset + normal * shadow_texel, 1.0)).xyz * 0.5 + 0.5;
  vec2 p = grid / grid_step;
  vec2 w = fwidth(p);
  vec3 c = to_linear(ground_colour);
  vec2 tile = floor(p / 10.0);
  c *= 1.0 - 0.035 * mod(tile.x + tile.y, 2.0) * clamp(1.2 - max(w.x, w.y), 0.0, 1.0);
  c *= 1.0 - 0.20 * lines(p, w, 0.025);
  c *= 1.0 - 0.34 * lines(p / 10.0, w / 10.0, 0.006);
  vec3 to_eye = -normalize(offset);
  vec3 result = lit(c, normal, to_eye, light_at(shadow), 0.015);
  pixel = vec4(to_display(with_fog(result, offset)), 1.0);
}
)";

// One triangle that covers the screen at the far end of the depth range.
constexpr const char* sky_vertex = R"(
uniform vec3 view_right;  // scaled by the tangent of half the field of view
uniform vec3 view_up;
uniform vec3 view_forward;
out vec3 direction;

void main() {
  vec2 corner = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1) * 4 - 1);
  direction = view_forward + view_right * corner.x + view_up * corner.y;
  gl_Position = vec4(corner, 1.0, 1.0);
}
)";

constexpr const char* sky_fragment = R"(
in vec3 direction;
out vec4 pixel;

void main() {
  vec3 d = normalize(direction);
  vec3 c = sky_colour(d);
  float towards_sun = dot(d, sun);
  c += vec3(1.0, 0.9, 0.7) * 6.0 * smoothstep(0.9990, 0.9996, towards_sun);
  // Dithering by less than one 8-bit step hides the bands in slow gradients.
  float grain = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.547) - 0.5;
  pixel = vec4(to_display(c) + grain / 255.0, 1.0);
}
)";

// Colours of the debug draw are not shaded, because they encode a meaning.
constexpr const char* debug_draw_vertex = R"(
layout(location = 0) in vec3 offset;
layout(location = 1) in vec4 colour;
flat out vec4 shade;

void main() {
  shade = colour;
  gl_Position = clip_from_offset * vec4(offset, 1.0);
}
)";

constexpr const char* debug_draw_fragment = R"(
flat in vec4 shade;
out vec4 pixel;

void main() { pixel = shade; }
)";

}  // namespace

const ShaderSources& shader_sources() {
  static constexpr ShaderSources sources{
      common,        shape_vertex,      shape_fragment,     speck_vertex,    speck_fragment,
      shadow_vertex, shadow_fragment,   ground_vertex,      ground_fragment, sky_vertex,
      sky_fragment,  debug_draw_vertex, debug_draw_fragment};
  return sources;
}

}  // namespace jostle::render
