// One of the WebAssembly modules (web/wasm) with typed access to its functions and memory.
import { decompress } from 'fzstd'

export interface Exports {
  memory: WebAssembly.Memory
  _initialize(): void
  malloc(size: number): number
  free(address: number): void
  result_data(): number
  result_size(): number
  link_accept(): number
  link_connected(peer: number, role: number): void
  link_closed(peer: number, reason: number, text: number, size: number, refusal: number): void
  link_message(peer: number, bytes: number, size: number): void
  client_start(name: number, size: number, role: number, engine: number, low: number, high: number): void
  client_stop(): void
  client_update(): void
  client_show(): void
  client_try_again(): void
  client_request(kind: number, count: number): void
  client_ask_for_scenes(): void
  client_load_scene(name: number, size: number): void
  client_scenes(): void
  client_take_notice(): void
  client_reconnect_token(): void
  client_status(): void
  input_axes(): number
  input_click(kind: number, x: number, y: number): void
  input_command(command: number): void
  frame(width: number, height: number, seconds: number, shadowSize: number): number
  view_choose(look: number, sleep: number, ghosts: number, layers: number, statistics: number): void
  view_select(body: number): void
  view_follow(body: number): void
  view_pick(x: number, y: number): number
  view_project(body: number): void
  view_camera(): void
  view_look(x: number, y: number, z: number, tx: number, ty: number, tz: number): void
  view_bodies(): void
  view_body(body: number): void
  mesh_of_slot(slot: number, isCaster: number): number
  mesh_of_solid(index: number): number
  shader_texts(): void
  // only in the module with the engine
  scene_offer(name: number, nameSize: number, text: number, textSize: number): void
  scene_add(name: number, nameSize: number, text: number, textSize: number): void
  server_start(scene: number, size: number, seed: number, lockstep: number): void
  server_run(): number
  server_receive(): void
  server_forward(ticks: number): void
  server_refresh_scenes(): void
  server_recording(): number
  server_report(): void
  lockstep_recording(): number
  proof_start(scene: number, size: number, seed: number): void
  proof_step(ticks: number): void
  replay_open(bytes: number, size: number, other: number, otherSize: number): void
  replay_close(): void
  replay_toggle(): void
  replay_seek(tick: number): void
  replay_step(ticks: number): void
  replay_change_rate(steps: number): void
  replay_seek_difference(): number
  replay_status(): void
}

/** Carries the messages of the module's connections. */
export interface Carrier {
  /** Opens the connection of a peer and later calls link_connected() or link_closed(). */
  connect(peer: number): void
  /** Sends bytes that begin with the number of the channel. Returns false if it cannot. */
  send(peer: number, bytes: Uint8Array): boolean
  close(peer: number, reason: number): void
  /** Closes all connections, and calls the module no more. */
  end(): void
  /** Number of bytes that were accepted but not sent yet. */
  pending(peer: number): number
}

const noCarrier: Carrier = { connect() {}, send: () => false, close() {}, end() {}, pending: () => 0 }

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export class Module {
  carrier: Carrier = noCarrier
  /** Returns the text of an offered scene's file, or null. */
  sceneText: (name: string) => string | null = () => null
  private log = ''

  private constructor(readonly exports: Exports) {}

  /** Fetches, compiles and starts a module. */
  static async load(url: string): Promise<Module> {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`)
    let module: Module | undefined
    const self = (): Module => {
      if (!module) throw new Error('the module calls the page before it is ready')
      return module
    }
    const imports = { page: pageFunctions(self), wasi_snapshot_preview1: systemFunctions(self) }
    // Web hosts that do not know the type of .wasm files prevent the faster way.
    const isTyped = response.headers.get('content-type')?.startsWith('application/wasm') === true
    const { instance } = isTyped
      ? await WebAssembly.instantiateStreaming(response, imports)
      : await WebAssembly.instantiate(await response.arrayBuffer(), imports)
    module = new Module(instance.exports as unknown as Exports)
    module.exports._initialize()
    return module
  }

  get hasEngine(): boolean { return 'replay_open' in this.exports }

  bytes(address: number, size: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, address, size)
  }
  words(address: number, count: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, address, count)
  }
  floats(address: number, count: number): Float32Array {
    return new Float32Array(this.exports.memory.buffer, address, count)
  }

  /** Calls a function with bytes in the module's memory. */
  withBytes<T>(bytes: Uint8Array, use: (address: number, size: number) => T): T {
    const address = this.exports.malloc(Math.max(bytes.length, 1))
    if (address === 0) throw new Error('the module has no memory left')
    this.bytes(address, bytes.length).set(bytes)
    try {
      return use(address, bytes.length)
    } finally {
      this.exports.free(address)
    }
  }
  withText<T>(text: string, use: (address: number, size: number) => T): T {
    return this.withBytes(encoder.encode(text), use)
  }

  /** Returns a copy of the bytes that the last function has stored. */
  resultBytes(): Uint8Array {
    return this.bytes(this.exports.result_data(), this.exports.result_size()).slice()
  }
  resultText(): string { return decoder.decode(this.resultBytes()) }
  /** Returns the JSON that a function stores. */
  json<T>(store: () => void): T | null {
    store()
    return JSON.parse(this.resultText()) as T | null
  }
  /** Returns the text that a function stores. */
  text(store: () => void): string {
    store()
    return this.resultText()
  }

  connected(peer: number, role: number): void { this.exports.link_connected(peer, role) }
  closed(peer: number, reason: number, text = '', refusal = 0): void {
    this.withText(text, (at, size) => this.exports.link_closed(peer, reason, at, size, refusal))
  }
  received(peer: number, bytes: Uint8Array): void {
    this.withBytes(bytes, (at, size) => this.exports.link_message(peer, at, size))
  }

  /** Writes a line of the module's error output to the console. */
  write(text: string): void {
    this.log += text
    const end = this.log.lastIndexOf('\n')
    if (end < 0) return
    console.warn(this.log.slice(0, end))
    this.log = this.log.slice(end + 1)
  }
}

function pageFunctions(module: () => Module): WebAssembly.ModuleImports {
  return {
    now_us: () => performance.now() * 1000,
    unix_time_s: () => Date.now() / 1000,
    random: (at: number, size: number) => {
      const most = 65536
      for (let i = 0; i < size; i += most)
        crypto.getRandomValues(module().bytes(at + i, Math.min(most, size - i)))
    },
    connect: (peer: number) => module().carrier.connect(peer),
    send: (peer: number, channel: number, at: number, size: number) => {
      const bytes = new Uint8Array(size + 1)
      bytes[0] = channel
      bytes.set(module().bytes(at, size), 1)
      return module().carrier.send(peer, bytes) ? 1 : 0
    },
    close: (peer: number, reason: number) => module().carrier.close(peer, reason),
    pending: (peer: number) => module().carrier.pending(peer),
    unzstd: (at: number, size: number, out: number, capacity: number) => {
      try {
        const raw = decompress(module().bytes(at, size).slice())
        if (raw.length > capacity) return -1
        module().bytes(out, raw.length).set(raw)
        return raw.length
      } catch {
        return -1
      }
    },
    scene_text: (at: number, size: number, out: number, capacity: number) => {
      const text = module().sceneText(decoder.decode(module().bytes(at, size).slice()))
      if (text === null) return -1
      const bytes = encoder.encode(text)
      if (bytes.length <= capacity) module().bytes(out, bytes.length).set(bytes)
      return bytes.length
    },
    normalize: (form: number, at: number, size: number, out: number, capacity: number) => {
      try {
        const text = decoder.decode(module().bytes(at, size).slice())
        const normal = encoder.encode(form === 0 ? text.normalize('NFC') : caseless(text))
        if (normal.length > capacity) return -1
        module().bytes(out, normal.length).set(normal)
        return normal.length
      } catch {
        return -1
      }
    },
  }
}

/** Form for caseless comparison: compatible characters are equal, and ignorable ones are removed. */
function caseless(text: string): string {
  const folded = text.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKC')
  return folded.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

const ok = 0
const notSupported = 52  // ENOSYS of WASI

function systemFunctions(module: () => Module): WebAssembly.ModuleImports {
  const known: Record<string, (...args: number[]) => number> = {
    fd_write: (_file = 0, list = 0, count = 0, written = 0) => {
      const vectors = module().words(list, count * 2)
      let total = 0
      for (let i = 0; i < count; ++i) {
        const size = vectors[i * 2 + 1] ?? 0
        module().write(new TextDecoder().decode(module().bytes(vectors[i * 2] ?? 0, size).slice()))
        total += size
      }
      module().words(written, 1)[0] = total
      return ok
    },
    environ_sizes_get: (count = 0, size = 0) => {
      module().words(count, 1)[0] = 0
      module().words(size, 1)[0] = 0
      return ok
    },
    environ_get: () => ok,
    proc_exit: (code = 0) => { throw new Error(`the module has ended with code ${code}`) },
  }
  return new Proxy(known, {
    has: () => true,
    get: (target, name) => target[String(name)] ?? (() => notSupported),
  }) as unknown as WebAssembly.ModuleImports
}
