// A frame of the module: struct Frame of web/wasm/scene_view.h, in 32-bit words.
import type { Module } from './module'

export const slotCount = 16  // meshes of unit shapes: render::mesh_slot_count
export const groupCount = 2 * slotCount
export const instanceWords = 13  // render::Instance: 52 bytes

export interface Tag { x: number; y: number; body: number; isOwn: boolean }
export interface SolidRange { index: number; first: number; count: number }

export interface Frame {
  instances: Uint32Array
  instanceCount: number
  first: Uint32Array
  solids: SolidRange[]
  grounds: Float32Array[]
  debugDraw: Uint32Array  // four words per vertex
  tags: Tag[]
  hovered: number
  bodies: number
  awake: number
  particles: number
  clipFromOffset: Float32Array
  shadowFromOffset: Float32Array
  shadowTexel: number
  fogDensity: number
  sun: Float32Array
  viewRight: Float32Array
  viewUp: Float32Array
  viewForward: Float32Array
}

const frameWords = 62
const groundFloats = 16

/** Reads the frame at an address. Its arrays are valid until the next call of the module. */
export function readFrame(module: Module, address: number): Frame | null {
  const words = module.words(address, frameWords)
  const word = (index: number): number => words[index] ?? 0
  if (word(0) === 0) return null
  const floats = module.floats(address, frameWords)
  const part = (from: number, size: number): Float32Array => floats.subarray(from, from + size)
  const solids: SolidRange[] = []
  const ranges = module.words(word(4), word(5) * 3)
  for (let i = 0; i < word(5); ++i)
    solids.push({ index: ranges[i * 3] ?? 0, first: ranges[i * 3 + 1] ?? 0, count: ranges[i * 3 + 2] ?? 0 })
  const grounds: Float32Array[] = []
  for (let i = 0; i < word(7); ++i)
    grounds.push(module.floats(word(6) + i * groundFloats * 4, groundFloats))
  const tags: Tag[] = []
  for (let i = 0; i < word(11); ++i) {
    const at = word(10) + i * 16
    const [x = 0, y = 0] = module.floats(at, 2)
    const [body = 0, isOwn = 0] = module.words(at + 8, 2)
    tags.push({ x, y, body, isOwn: isOwn !== 0 })
  }
  return {
    instances: module.words(word(1), word(2) * instanceWords),
    instanceCount: word(2),
    first: module.words(word(3), groupCount + 1),
    solids, grounds,
    debugDraw: module.words(word(8), word(9) * 4),
    tags,
    hovered: word(12), bodies: word(13), awake: word(14), particles: word(15),
    clipFromOffset: part(16, 16),
    shadowFromOffset: part(32, 16),
    shadowTexel: floats[48] ?? 0,
    fogDensity: floats[49] ?? 0,
    sun: part(50, 3), viewRight: part(53, 3), viewUp: part(56, 3), viewForward: part(59, 3),
  }
}
