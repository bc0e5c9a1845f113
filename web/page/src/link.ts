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
}

const safeName = /^[\w.-]{1,64}$/

/** Reads the address of the page. Values that are not valid are ignored. */
export function readLink(): Link {
  const query = new URLSearchParams(location.search)
  const hash = new URLSearchParams(location.hash.slice(1))
  const get = (name: string): string | null => hash.get(name) ?? query.get(name)
  const named = (name: string): string | null => {
    const value = get(name)
    return value !== null && safeName.test(value) ? value : null
  }
  const numbers = (get('camera') ?? '').split(',').map(Number)
  const isCamera = numbers.length === 6 && numbers.every(Number.isFinite)
  const [x = 0, y = 0, z = 0, tx = 0, ty = 0, tz = 0] = numbers
  const tick = Number(get('tick') ?? 0)
  return {
    scene: named('scene'),
    camera: isCamera ? { eye: [x, y, z], target: [tx, ty, tz] } : null,
    tick: Number.isInteger(tick) && tick > 0 && tick <= 2 ** 31 ? tick : 0,
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
