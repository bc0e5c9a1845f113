// Links that name a scene, a camera and a tick. Everything after # stays in the browser.

export interface Camera { eye: [number, number, number]; target: [number, number, number] }

export interface Link {
  scene: string | null
  camera: Camera | null
  tick: number
  room: string | null
  token: string
  name: string | null
  predict: boolean
  lockstep: boolean
  play: boolean
  replay: string | null
  compare: string | null
  faults: string[]  // one sentence for each value that is not used
}

/** Largest tick that a link to a scene may name: the page computes all ticks before it (web/wasm/server_exports.cpp). */
export const maxLinkedTick = 36_000
const maxTick = 2 ** 32 - 1

const safeName = /^[\w.-]{1,64}$/

/** Returns a sentence about a value of the link that is not used. */
export function linkFault(name: string, value: string, accepted: string): string {
  const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value
  return `The link's ${name} '${shown}' is not used; accepted: ${accepted}.`
}

/** Reads the address of the page. Values that are not valid are left out and named in `faults`. */
export function readLink(address: { search: string; hash: string } = location): Link {
  const query = new URLSearchParams(address.search)
  const hash = new URLSearchParams(address.hash.slice(1))
  const get = (name: string): string | null => hash.get(name) ?? query.get(name)
  const faults: string[] = []
  const named = (name: string): string | null => {
    const value = get(name)
    if (value === null || safeName.test(value)) return value
    faults.push(linkFault(name, value, 'at most 64 letters, digits, _, - and .'))
    return null
  }
  const camera = get('camera')
  const numbers = (camera ?? '').split(',').map((text) => text.trim() === '' ? NaN : Number(text))
  const isCamera = numbers.length === 6 && numbers.every(Number.isFinite)
  if (camera !== null && !isCamera) faults.push(linkFault('camera', camera, 'six numbers with commas between them'))
  const [x = 0, y = 0, z = 0, tx = 0, ty = 0, tz = 0] = numbers
  const tickText = get('tick')
  const most = get('replay') === null ? maxLinkedTick : maxTick
  const isTick = tickText !== null && /^\d{1,10}$/.test(tickText) && Number(tickText) <= most
  if (tickText !== null && !isTick) faults.push(linkFault('tick', tickText, `whole numbers from 0 to ${most}`))
  return {
    faults,
    scene: named('scene'),
    camera: isCamera ? { eye: [x, y, z], target: [tx, ty, tz] } : null,
    tick: isTick ? Number(tickText) : 0,
    room: named('room'),
    token: hash.get('token') ?? '',
    name: get('name')?.slice(0, 24) ?? null,
    predict: query.has('predict') || hash.has('predict'),
    lockstep: query.has('lockstep') || hash.has('lockstep'),
    play: query.has('play') || hash.has('play'),
    replay: get('replay'),
    compare: get('compare'),
  }
}

/** Returns the address of this page with other values after #, without a token. */
export function linkTo(values: Record<string, string | number | null>, flags: readonly string[] = []): string {
  const hash = Object.entries(values).filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replace(/%2C/g, ',')}`).join('&')
  const query = flags.length > 0 ? `?${flags.join('&')}` : ''
  return `${location.origin}${location.pathname}${query}#${hash}`
}

export const cameraText = (camera: Camera): string =>
  [...camera.eye, ...camera.target].map((value) => Number(value.toFixed(3))).join(',')
