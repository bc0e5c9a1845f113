// The shaders of client/render as materials of three.js. The module contains their text, so that
// both viewers draw the same picture.
import * as THREE from 'three'

export interface ShaderTexts {
  common: string
  shape_vertex: string; shape_fragment: string
  speck_vertex: string; speck_fragment: string
  shadow_vertex: string; shadow_fragment: string
  ground_vertex: string; ground_fragment: string
  sky_vertex: string; sky_fragment: string
  debug_draw_vertex: string; debug_draw_fragment: string
}

/** The uniforms of a material, by name. */
export type Uniforms = Record<string, { value: unknown }>

const header = (shadowTaps: number): string =>
  `precision highp float;\nprecision highp int;\nprecision highp sampler2DShadow;\n` +
  `precision highp usampler2D;\n#define SHADOW_TAPS ${shadowTaps}\n`

// Instances are texels of an integer texture: one draw call per mesh needs no vertex attributes of
// its own, and the whole list is uploaded once per frame.
const fetchInstance = `
uniform usampler2D instances;
uniform int first_instance;
uvec4 instance_part(int part) {
  int index = first_instance + gl_InstanceID;
  return texelFetch(instances, ivec2((index & 255) * 4 + part, index >> 8), 0);
}
`
const instanceVariables = `
  uvec4 part_0 = instance_part(0), part_1 = instance_part(1), part_2 = instance_part(2);
  uvec4 part_3 = instance_part(3);
  vec4 place = uintBitsToFloat(part_0);
  vec4 rotation = uintBitsToFloat(part_1);
  vec3 scale = uintBitsToFloat(part_2.xyz);
  vec3 colour = vec3(uvec3(part_2.w, part_2.w >> 8, part_2.w >> 16) & 255u) / 255.0;
  uvec4 marks = uvec4(part_3.x, part_3.x >> 8, part_3.x >> 16, part_3.x >> 24) & 255u;
`

/** Converts a vertex shader whose instance attributes have the locations 3 to 7. */
function withInstances(vertex: string): string {
  const unit = vertex
    .replace(/^layout\(location = [3-7]\).*$/gm, '')
    .replace(/^layout\(location = 0\) in vec3 unit;/m, 'in vec3 position;\n#define unit position')
    .replace(/^layout\(location = \d\) /gm, '')
  // toned() of the speck shader takes the pattern as a parameter, so only main() needs variables.
  return fetchInstance + unit.replace('void main() {', `void main() {${instanceVariables}`)
}

const plainVertex = (vertex: string): string => vertex.replace(/^layout\(location = \d\) /gm, '')

export interface Materials {
  shape: THREE.RawShaderMaterial
  edges: THREE.RawShaderMaterial
  xray: THREE.RawShaderMaterial
  speck: THREE.RawShaderMaterial
  shadow: THREE.RawShaderMaterial
  ground: THREE.RawShaderMaterial
  sky: THREE.RawShaderMaterial
  debugDraw: THREE.RawShaderMaterial
  shared: Uniforms
}

/** Creates the materials. Each has the uniforms in `shared`; shadowTaps: 0, 1 or 4. */
export function createMaterials(texts: ShaderTexts, shadowTaps: number): Materials {
  const shared: Uniforms = {
    sun: { value: new THREE.Vector3() },
    fog_density: { value: 0 },
    clip_from_offset: { value: new THREE.Matrix4() },
    shadow_from_offset: { value: new THREE.Matrix4() },
    shadow_texel: { value: 0 },
    shadow_step: { value: 0 },
    shadow_map: { value: null },
    instances: { value: null },
  }
  const make = (vertex: string, fragment: string, own: Uniforms, options: THREE.ShaderMaterialParameters = {}):
    THREE.RawShaderMaterial =>
    new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: header(shadowTaps) + texts.common + vertex,
      fragmentShader: header(shadowTaps) + texts.common + fragment,
      uniforms: { ...shared, ...own },
      toneMapped: false,
      ...options,
    })
  const shape = (edgeStrength: number, seeThrough: number, options: THREE.ShaderMaterialParameters = {}) =>
    make(withInstances(texts.shape_vertex), texts.shape_fragment, {
      edge_strength: { value: edgeStrength }, see_through: { value: seeThrough }, first_instance: { value: 0 },
    }, options)
  const wire: THREE.ShaderMaterialParameters = { wireframe: true }
  return {
    shape: shape(0, 0, { polygonOffset: true, polygonOffsetFactor: 0, polygonOffsetUnits: 0 }),
    edges: shape(0.4, 0, wire),
    xray: shape(0, 1, { transparent: true, depthWrite: false }),
    speck: make(withInstances(texts.speck_vertex), texts.speck_fragment, { first_instance: { value: 0 } }),
    shadow: make(withInstances(texts.shadow_vertex), texts.shadow_fragment, { first_instance: { value: 0 } }, {
      polygonOffset: true, polygonOffsetFactor: 1.5, polygonOffsetUnits: 2, colorWrite: false,
    }),
    ground: make(texts.ground_vertex, texts.ground_fragment, {
      ground_origin: { value: new THREE.Vector3() }, ground_u: { value: new THREE.Vector3() },
      ground_v: { value: new THREE.Vector3() }, grid_origin: { value: new THREE.Vector2() },
      ground_extent: { value: 0 }, grid_step: { value: 1 }, ground_colour: { value: new THREE.Vector3() },
    }, { side: THREE.DoubleSide }),
    sky: make(texts.sky_vertex, texts.sky_fragment, {
      view_right: { value: new THREE.Vector3() }, view_up: { value: new THREE.Vector3() },
      view_forward: { value: new THREE.Vector3() },
    }, { depthFunc: THREE.LessEqualDepth, depthWrite: false }),
    debugDraw: make(plainVertex(texts.debug_draw_vertex).replace('in vec3 offset;', 'in vec3 position;\n#define offset position')
      .replace('in vec4 colour;', 'in uint packed_colour;')
      .replace('shade = colour;',
        'shade = vec4(uvec4(packed_colour, packed_colour >> 8, packed_colour >> 16, packed_colour >> 24) & 255u) / 255.0;'),
    texts.debug_draw_fragment, {}, { depthTest: false, depthWrite: false, transparent: true, side: THREE.DoubleSide, blending: THREE.NormalBlending }),
    shared,
  }
}

export function disposeMaterials({ shared: _, ...materials }: Materials): void {
  for (const material of Object.values(materials)) material.dispose()
}
