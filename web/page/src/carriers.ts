// Connections of a client to its server: a WebSocket to the gate, or messages to a server in a worker
// of this tab or of another one.
import type { Carrier, Module } from './module'

/** net::DisconnectReason */
const reasons = { none: 0, timedOut: 2, refused: 9, last: 10 }

const entryMark = 0x80
const entryVersion = 1
const secretBytes = 32
const entryBytes = 1 + 1 + 1 + 8 + 32

/** Maximum size of a token's text: gate_link::max_token_text_bytes. */
export const maxTokenBytes = 512

export interface Entry { role: number }

/** The random secret of this tab, by which the server knows it again after a reload. */
function viewerSecret(): Uint8Array {
  const key = 'jostle-secret'
  try {
    const kept = sessionStorage.getItem(key)?.match(/../g)?.map((hex) => parseInt(hex, 16))
    if (kept?.length === secretBytes) return new Uint8Array(kept)
    const secret = crypto.getRandomValues(new Uint8Array(secretBytes))
    sessionStorage.setItem(key, [...secret].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
    return secret
  } catch {
    // Browsers may refuse storage to a page in the frame of another site, such as a notebook.
    return framedSecret ??= crypto.getRandomValues(new Uint8Array(secretBytes))
  }
}
let framedSecret: Uint8Array | null = null

/** A WebSocket to jostle-gate; docs/WIRE_FORMAT.md describes its messages. */
export class GateCarrier implements Carrier {
  private readonly sockets = new Map<number, WebSocket>()

  constructor(private readonly module: Module, private readonly url: string, private readonly token: string,
    private readonly onEntry: (entry: Entry) => void, private readonly onMessage: () => void) {}

  connect(peer: number): void {
    const socket = new WebSocket(this.url)
    socket.binaryType = 'arraybuffer'
    this.sockets.set(peer, socket)
    let isUp = false
    socket.onopen = () => {
      const token = new TextEncoder().encode(this.token)
      const entry = new Uint8Array(2 + secretBytes + token.length)
      entry[0] = entryMark
      entry[1] = entryVersion
      entry.set(viewerSecret(), 2)
      entry.set(token, 2 + secretBytes)
      socket.send(entry)
    }
    socket.onmessage = (event: MessageEvent<ArrayBuffer>) => {
      const bytes = new Uint8Array(event.data)
      if (bytes[0] === entryMark) {
        if (bytes.length !== entryBytes || bytes[1] !== entryVersion) return socket.close(4005)
        isUp = true
        const role = bytes[2] ?? 0
        this.module.connected(peer, role)
        this.onEntry({ role })
      } else {
        this.module.received(peer, bytes)
      }
      this.onMessage()
    }
    socket.onclose = (event) => {
      if (this.sockets.get(peer) !== socket) return
      this.sockets.delete(peer)
      const { code } = event
      if (code >= 4100 && code < 4200) this.module.closed(peer, reasons.refused, event.reason, code - 4100)
      else if (code > 4000 && code <= 4000 + reasons.last) this.module.closed(peer, code - 4000, event.reason)
      else this.module.closed(peer, isUp ? reasons.timedOut : reasons.none, event.reason || 'no answer from the server')
      this.onMessage()
    }
  }

  send(peer: number, bytes: Uint8Array): boolean {
    const socket = this.sockets.get(peer)
    if (socket?.readyState !== WebSocket.OPEN) return false
    socket.send(bytes as Uint8Array<ArrayBuffer>)
    return true
  }

  close(peer: number, reason: number): void {
    const socket = this.sockets.get(peer)
    this.sockets.delete(peer)
    socket?.close(4000 + (reason === 0 ? 1 : reason))
  }

  end(): void {
    for (const [peer, socket] of [...this.sockets]) {
      socket.onopen = socket.onmessage = socket.onclose = null
      this.close(peer, 1)
    }
  }

  pending(peer: number): number { return this.sockets.get(peer)?.bufferedAmount ?? 0 }
}

/** A message between a page and the worker with a server, or between two tabs. */
export interface LocalMessage {
  to: string    // id of the receiver
  from: string
  kind: 'open' | 'opened' | 'data' | 'close'
  peer: number  // peer of the client's module
  bytes?: Uint8Array
  reason?: number
}

/** The way of messages to a local server: the worker of this tab, or a BroadcastChannel. */
export interface LocalPort {
  readonly server: string
  post(message: LocalMessage): void
  onMessage: (message: LocalMessage) => void
}

export class LocalCarrier implements Carrier {
  private readonly up = new Set<number>()
  readonly id = crypto.randomUUID()

  constructor(private readonly module: Module, private readonly port: LocalPort, private readonly onMessage: () => void) {
    port.onMessage = (message) => this.take(message)
    addEventListener('pagehide', () => { for (const peer of this.up) this.close(peer, 1) })
  }

  private post(kind: LocalMessage['kind'], peer: number, more: Partial<LocalMessage> = {}): void {
    this.port.post({ to: this.port.server, from: this.id, kind, peer, ...more })
  }

  private take(message: LocalMessage): void {
    if (message.to !== this.id) return
    if (message.kind === 'opened') {
      this.up.add(message.peer)
      this.module.connected(message.peer, 1)
    } else if (message.kind === 'data' && message.bytes) {
      this.module.received(message.peer, message.bytes)
    } else if (message.kind === 'close') {
      this.up.delete(message.peer)
      this.module.closed(message.peer, message.reason ?? reasons.timedOut, 'the tab with the server has ended')
    }
    this.onMessage()
  }

  connect(peer: number): void { this.post('open', peer) }
  send(peer: number, bytes: Uint8Array): boolean {
    if (!this.up.has(peer)) return false
    this.post('data', peer, { bytes })
    return true
  }
  close(peer: number, reason: number): void {
    if (this.up.delete(peer)) this.post('close', peer, { reason })
  }
  end(): void {
    this.port.onMessage = () => {}
    for (const peer of [...this.up]) this.close(peer, 1)
  }
  pending(): number { return 0 }
}

/** The worker of this tab. */
export class WorkerPort implements LocalPort {
  readonly server = 'server'
  onMessage: (message: LocalMessage) => void = () => {}
  constructor(private readonly worker: Worker) {
    worker.addEventListener('message', (event: MessageEvent<{ link?: LocalMessage }>) => {
      if (event.data.link) this.onMessage(event.data.link)
    })
  }
  post(message: LocalMessage): void { this.worker.postMessage({ link: message }) }
}

/** The worker of another tab. */
export class TabPort implements LocalPort {
  readonly server = 'server'
  onMessage: (message: LocalMessage) => void = () => {}
  private readonly channel: BroadcastChannel
  constructor(room: string) {
    this.channel = new BroadcastChannel(`jostle-room-${room}`)
    this.channel.onmessage = (event: MessageEvent<{ link?: LocalMessage }>) => {
      if (event.data.link) this.onMessage(event.data.link)
    }
  }
  post(message: LocalMessage): void { this.channel.postMessage({ link: message }) }
}

/** Returns true if another tab runs the server of a room. */
export function isHosted(room: string): Promise<boolean> {
  const channel = new BroadcastChannel(`jostle-room-${room}`)
  return new Promise((resolve) => {
    const end = (answer: boolean): void => {
      clearTimeout(timer)
      channel.close()
      resolve(answer)
    }
    const timer = setTimeout(() => end(false), 300)
    channel.onmessage = (event: MessageEvent<{ here?: boolean }>) => { if (event.data.here) end(true) }
    channel.postMessage({ who: true })
  })
}
