// Draws the frames of a module with three.js: one instanced draw per mesh.
import * as THREE from 'three'
import { createMaterials, disposeMaterials, type Materials, type ShaderTexts, type Uniforms } from './materials'
import { type Frame, groupCount, instanceWords, slotCount } from './frame'
import type { Module } from './module'

export type Look = 'solid' | 'edges' | 'wireframe' | 'xray'
/** shadowTaps: 0 (no shadows), 1 or 4. */
export interface Quality { shadowSize: number; shadowTaps: number }

const rowInstances = 256  // instances in a row of the texture, four texels each
const vertexFloats = 7    // shape_mesh::MeshVertex
// Slots of each kind of shape, coarsest first (render::round_meshes). One mesh of each kind casts
// the shadows of all of its sizes.
const kinds = [
  { from: 0, to: 5, caster: 2 },    // spheres
  { from: 5, to: 9, caster: 7 },    // capsules
  { from: 9, to: 12, caster: 10 },  // cylinders
  { from: 12, to: 15, caster: 13 }, // cones
  { from: 15, to: 16, caster: 15 }, // boxes
]

/** A mesh that is drawn for a range of the instances. */
class InstancedRange {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.RawShaderMaterial>
  first = 0
  constructor(geometry: THREE.InstancedBufferGeometry, material: THREE.RawShaderMaterial, scene: THREE.Scene, order: number) {
    this.mesh = new THREE.Mesh(geometry, material)
    this.mesh.frustumCulled = false
    this.mesh.matrixAutoUpdate = false
    this.mesh.renderOrder = order
    this.mesh.onBeforeRender = () => {
      const uniform = this.mesh.material.uniforms['first_instance']
      if (uniform) uniform.value = this.first
      this.mesh.material.uniformsNeedUpdate = true
    }
    scene.add(this.mesh)
  }
  show(first: number, count: number): void {
    this.first = first
    this.mesh.geometry.instanceCount = count
    this.mesh.visible = count > 0
  }
}

interface SolidMeshes { ranges: InstancedRange[]; edges: InstancedRange; caster: InstancedRange; geometry: THREE.BufferGeometry }

export class Renderer {
  private readonly gl: THREE.WebGLRenderer
  private readonly scene = new THREE.Scene()
  private readonly shadowScene = new THREE.Scene()
  private readonly camera = new THREE.Camera()
  private materials!: Materials
  private shadowTarget: THREE.WebGLRenderTarget | null = null
  private texture: THREE.DataTexture
  private texels = new Uint32Array(rowInstances * 16)
  private groups: InstancedRange[] = []
  private edgeGroups: InstancedRange[] = []
  private casters: InstancedRange[] = []
  private readonly solids = new Map<number, SolidMeshes>()
  private grounds: THREE.Mesh<THREE.BufferGeometry, THREE.RawShaderMaterial>[] = []
  private sky!: THREE.Mesh<THREE.BufferGeometry, THREE.RawShaderMaterial>
  private debugDraw!: THREE.Mesh<THREE.BufferGeometry, THREE.RawShaderMaterial>
  private module: Module | null = null
  look: Look = 'solid'
  drawCalls = 0
  /** True if the processor draws, because there is no graphics hardware. */
  readonly isSoftware: boolean

  private quality: Quality = { shadowSize: 0, shadowTaps: 0 }

  constructor(readonly canvas: HTMLCanvasElement) {
    this.gl = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' })
    this.gl.info.autoReset = false
    this.gl.autoClear = true
    const context = this.gl.getContext()
    const names = context.getExtension('WEBGL_debug_renderer_info')
    const name = String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER))
    this.isSoftware = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name)
    this.texture = this.makeTexture(1)
  }

  get shadowSize(): number { return this.quality.shadowTaps === 0 ? 0 : this.quality.shadowSize }

  /** Sets the module whose frames are drawn. */
  setModule(module: Module): void {
    this.module = module
    for (const index of [...this.solids.keys()]) this.removeSolid(index)
    if (this.groups.length === 0) this.build(module)
  }

  /**
   * Compiles the shaders of a module, and draws each once. Do this before the client starts: a pause
   * of seconds while messages arrive would count as jitter of the connection.
   */
  async prepare(module: Module): Promise<void> {
    this.setModule(module)
    performance.mark('jostle-built')
    await Promise.all([this.gl.compileAsync(this.scene, this.camera), this.gl.compileAsync(this.shadowScene, this.camera)])
    performance.mark('jostle-compiled')
    for (const range of [...this.groups, ...this.casters]) range.show(0, 1)
    this.drawScenes()
    for (const range of [...this.groups, ...this.casters]) range.show(0, 0)
  }

  /** Changes the quality of shadows. */
  setQuality(quality: Quality): void {
    const isOther = quality.shadowSize !== this.quality.shadowSize || quality.shadowTaps !== this.quality.shadowTaps
    this.quality = quality
    if (!isOther || !this.module) return
    for (const index of [...this.solids.keys()]) this.removeSolid(index)
    for (const { mesh } of [...this.groups, ...this.edgeGroups, ...this.casters]) mesh.geometry.dispose()
    for (const mesh of this.grounds) mesh.material.dispose()
    disposeMaterials(this.materials)
    this.scene.clear()
    this.shadowScene.clear()
    this.groups = []
    this.edgeGroups = []
    this.casters = []
    this.grounds = []
    this.shadowTarget?.dispose()
    this.shadowTarget = null
    this.build(this.module)
  }

  resize(width: number, height: number): void {
    this.gl.setSize(width, height, false)
  }

  private makeTexture(rows: number): THREE.DataTexture {
    this.texels = new Uint32Array(rowInstances * 16 * rows)
    const texture = new THREE.DataTexture(this.texels, rowInstances * 4, rows, THREE.RGBAIntegerFormat, THREE.UnsignedIntType)
    texture.internalFormat = 'RGBA32UI'
    texture.needsUpdate = true
    return texture
  }

  private build(module: Module): void {
    const texts = module.json<ShaderTexts>(() => module.exports.shader_texts())
    if (!texts) throw new Error('the module has no shaders')
    this.materials = createMaterials(texts, this.quality.shadowTaps)
    this.set('instances', this.texture)
    if (this.shadowSize > 0) this.makeShadowTarget()
    const geometry = (slot: number, isCaster: boolean): THREE.InstancedBufferGeometry => {
      const vertices = module.exports.mesh_of_slot(slot, isCaster ? 1 : 0)
      return instanced(meshOf(module.resultBytes(), vertices))
    }
    for (let group = 0; group < groupCount; ++group) {
      const isSpeck = group >= slotCount
      const material = isSpeck ? this.materials.speck : this.materials.shape
      this.groups.push(new InstancedRange(geometry(group % slotCount, false), material, this.scene, 1))
      this.edgeGroups.push(new InstancedRange(geometry(group % slotCount, false), this.materials.edges, this.scene, 2))
    }
    for (const kind of kinds)
      for (let i = 0; i < 2; ++i)  // shapes with patterns, and specks
        this.casters.push(new InstancedRange(geometry(kind.caster, true), this.materials.shadow, this.shadowScene, 0))
    const triangle = new THREE.BufferGeometry()
    triangle.setDrawRange(0, 3)
    this.sky = this.add(new THREE.Mesh(triangle, this.materials.sky), 4)
    this.debugDraw = this.add(new THREE.Mesh(new THREE.BufferGeometry(), this.materials.debugDraw), 6)
    this.debugDraw.visible = false
  }

  private add<T extends THREE.Mesh>(mesh: T, order: number): T {
    mesh.frustumCulled = false
    mesh.renderOrder = order
    this.scene.add(mesh)
    return mesh
  }

  private makeShadowTarget(): void {
    const size = this.quality.shadowSize
    const target = new THREE.WebGLRenderTarget(size, size, { depthBuffer: true })
    const depth = new THREE.DepthTexture(size, size, THREE.UnsignedIntType)
    depth.compareFunction = THREE.LessEqualCompare
    depth.minFilter = THREE.LinearFilter
    depth.magFilter = THREE.LinearFilter
    target.depthTexture = depth
    this.shadowTarget = target
  }

  private set(name: string, value: unknown): void {
    const uniform = this.materials.shared[name]
    if (uniform) uniform.value = value
  }

  private removeSolid(index: number): void {
    const solid = this.solids.get(index)
    if (!solid) return
    for (const range of solid.ranges) this.scene.remove(range.mesh)
    this.scene.remove(solid.edges.mesh)
    this.shadowScene.remove(solid.caster.mesh)
    solid.geometry.dispose()
    this.solids.delete(index)
  }

  /** Returns the meshes of a solid, which are made when it first appears. */
  private solid(index: number): SolidMeshes | null {
    const known = this.solids.get(index)
    if (known || !this.module) return known ?? null
    const vertices = this.module.exports.mesh_of_solid(index)
    if (vertices === 0) return null
    const geometry = meshOf(this.module.resultBytes(), vertices)
    const made: SolidMeshes = {
      geometry,
      ranges: [new InstancedRange(instanced(geometry), this.materials.shape, this.scene, 1)],
      edges: new InstancedRange(instanced(geometry), this.materials.edges, this.scene, 2),
      caster: new InstancedRange(instanced(geometry), this.materials.shadow, this.shadowScene, 0),
    }
    this.solids.set(index, made)
    return made
  }

  /** Draws a frame. */
  draw(frame: Frame): void {
    this.upload(frame)
    this.placeGroups(frame)
    this.placeSolids(frame)
    this.placeGrounds(frame)
    this.placeDebugDraw(frame)
    this.setUniforms(frame)
    this.drawScenes()
  }

  private drawScenes(): void {
    this.gl.info.reset()
    if (this.shadowTarget) {
      this.set('shadow_map', null)
      this.gl.setRenderTarget(this.shadowTarget)
      this.gl.clear()
      this.gl.render(this.shadowScene, this.camera)
      this.gl.setRenderTarget(null)
      this.set('shadow_map', this.shadowTarget.depthTexture)
    }
    this.gl.render(this.scene, this.camera)
    this.drawCalls = this.gl.info.render.calls
  }

  private upload(frame: Frame): void {
    const rows = Math.max(1, Math.ceil(frame.instanceCount / rowInstances))
    if (rows > this.texture.image.height) {
      this.texture.dispose()
      this.texture = this.makeTexture(2 ** Math.ceil(Math.log2(rows)))
      this.set('instances', this.texture)
    }
    const { instances } = frame
    const { texels } = this
    for (let from = 0, to = 0; from < instances.length; from += instanceWords, to += 16)
      for (let i = 0; i < instanceWords; ++i) texels[to + i] = instances[from + i] as number
    this.texture.needsUpdate = true
  }

  private placeGroups(frame: Frame): void {
    const at = (group: number): number => frame.first[group] ?? 0
    const hasFaces = this.look !== 'wireframe'
    const hasEdges = this.look === 'edges' || this.look === 'wireframe'
    for (let group = 0; group < groupCount; ++group) {
      const count = at(group + 1) - at(group)
      const range = this.groups[group]
      const edges = this.edgeGroups[group]
      if (range) {
        const isSpeck = group >= slotCount && this.look === 'solid'
        range.mesh.material = this.look === 'xray' ? this.materials.xray : isSpeck ? this.materials.speck : this.materials.shape
        range.mesh.renderOrder = this.look === 'xray' ? 5 : 1
        range.show(at(group), hasFaces ? count : 0)
      }
      edges?.show(at(group), hasEdges ? count : 0)
    }
    this.materials.shape.polygonOffsetFactor = hasEdges ? 1 : 0
    this.materials.shape.polygonOffsetUnits = hasEdges ? 1 : 0
    kinds.forEach((kind, index) => {
      for (let i = 0; i < 2; ++i) {
        const from = at(kind.from + i * slotCount)
        this.casters[index * 2 + i]?.show(from, at(kind.to + i * slotCount) - from)
      }
    })
  }

  private placeSolids(frame: Frame): void {
    const shown = new Set<number>()
    for (const entry of frame.solids) {
      shown.add(entry.index)
      const solid = this.solid(entry.index)
      if (!solid) continue
      for (const range of solid.ranges) {
        range.mesh.material = this.look === 'xray' ? this.materials.xray : this.materials.shape
        range.mesh.renderOrder = this.look === 'xray' ? 5 : 1
        range.show(entry.first, this.look === 'wireframe' ? 0 : entry.count)
      }
      solid.edges.show(entry.first, this.look === 'edges' || this.look === 'wireframe' ? entry.count : 0)
      solid.caster.show(entry.first, entry.count)
    }
    for (const index of [...this.solids.keys()]) if (!shown.has(index)) this.removeSolid(index)
  }

  private placeGrounds(frame: Frame): void {
    while (this.grounds.length < frame.grounds.length) {
      const square = new THREE.BufferGeometry()
      square.setIndex([0, 1, 2, 2, 1, 3])
      const material = this.materials.ground.clone()
      // Clones copy the values of shared uniforms, so share them again.
      Object.assign(material.uniforms, this.materials.shared)
      this.grounds.push(this.add(new THREE.Mesh(square, material), 3))
    }
    this.grounds.forEach((mesh, index) => {
      const ground = frame.grounds[index]
      mesh.visible = ground !== undefined
      if (!ground) return
      const uniforms = mesh.material.uniforms as Uniforms
      const vector = (name: string, at: number) => (uniforms[name]?.value as THREE.Vector3).fromArray(ground, at)
      vector('ground_origin', 0)
      vector('ground_u', 3)
      vector('ground_v', 6)
      ;(uniforms['grid_origin']?.value as THREE.Vector2).fromArray(ground, 9)
      if (uniforms['ground_extent']) uniforms['ground_extent'].value = ground[11]
      if (uniforms['grid_step']) uniforms['grid_step'].value = ground[12]
      vector('ground_colour', 13)
      mesh.material.uniformsNeedUpdate = true
    })
  }

  private placeDebugDraw(frame: Frame): void {
    const count = frame.debugDraw.length / 4
    this.debugDraw.visible = count > 0
    if (count === 0) return
    this.debugDraw.geometry.dispose()
    const geometry = new THREE.BufferGeometry()
    const words = frame.debugDraw.slice()
    const floats = new Float32Array(words.buffer)
    const positions = new Float32Array(count * 3)
    const colours = new Uint32Array(count)
    for (let i = 0; i < count; ++i) {
      positions.set(floats.subarray(i * 4, i * 4 + 3), i * 3)
      colours[i] = words[i * 4 + 3] ?? 0
    }
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3))
    const packed = new THREE.BufferAttribute(colours, 1)
    packed.gpuType = THREE.IntType
    geometry.setAttribute('packed_colour', packed)
    this.debugDraw.geometry = geometry
  }

  private setUniforms(frame: Frame): void {
    const shared = this.materials.shared
    ;(shared['sun']?.value as THREE.Vector3).fromArray(frame.sun)
    this.set('fog_density', frame.fogDensity)
    ;(shared['clip_from_offset']?.value as THREE.Matrix4).fromArray(frame.clipFromOffset)
    ;(shared['shadow_from_offset']?.value as THREE.Matrix4).fromArray(frame.shadowFromOffset)
    this.set('shadow_texel', frame.shadowTexel)
    this.set('shadow_step', this.shadowSize > 0 ? 1 / this.shadowSize : 0)
    const sky = this.sky.material.uniforms as Uniforms
    ;(sky['view_right']?.value as THREE.Vector3).fromArray(frame.viewRight)
    ;(sky['view_up']?.value as THREE.Vector3).fromArray(frame.viewUp)
    ;(sky['view_forward']?.value as THREE.Vector3).fromArray(frame.viewForward)
  }
}

/** Makes the geometry of a mesh: vertices of 28 bytes, then 16-bit indices. */
function meshOf(bytes: Uint8Array, vertexCount: number): THREE.BufferGeometry {
  const vertices = new Float32Array(bytes.buffer, 0, vertexCount * vertexFloats)
  const buffer = new THREE.InterleavedBuffer(vertices, vertexFloats)
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.InterleavedBufferAttribute(buffer, 3, 0))
  geometry.setAttribute('unit_normal', new THREE.InterleavedBufferAttribute(buffer, 3, 3))
  geometry.setAttribute('segment', new THREE.InterleavedBufferAttribute(buffer, 1, 6))
  const indices = new Uint16Array(bytes.buffer, vertexCount * vertexFloats * 4)
  if (indices.length > 0) geometry.setIndex(new THREE.BufferAttribute(indices, 1))
  return geometry
}

function instanced(geometry: THREE.BufferGeometry): THREE.InstancedBufferGeometry {
  const copy = new THREE.InstancedBufferGeometry()
  for (const [name, attribute] of Object.entries(geometry.attributes)) copy.setAttribute(name, attribute)
  copy.setIndex(geometry.index)
  copy.instanceCount = 0
  return copy
}
