// The worker with a server of this tab: the same server as jostled, compiled to WebAssembly. Its
// clients are this page and other tabs of the browser.
import { type Carrier, Module } from './module'
import type { LocalMessage } from './carriers'

export interface StartRequest {
  start: { module: string; scene: string; text: string; seed: number; room: string; tick: number }
}
export interface SceneRequest { scene: { name: string; text: string } }
export type WorkerRequest = StartRequest | SceneRequest | { recording: true } | { report: true } | { link: LocalMessage }

interface Client { id: string; peer: number; answer: (message: LocalMessage) => void }

const worker = self as unknown as { postMessage(message: unknown): void; onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null }
const isFromThisTab = (message: LocalMessage): void => worker.postMessage({ link: message })

class Server implements Carrier {
  private readonly clients = new Map<number, Client>()  // by the server's peer
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly channel: BroadcastChannel

  constructor(private readonly module: Module, room: string) {
    module.carrier = this
    this.channel = new BroadcastChannel(`jostle-room-${room}`)
    this.channel.onmessage = (event: MessageEvent<{ who?: boolean; link?: LocalMessage }>) => {
      if (event.data.who) this.channel.postMessage({ here: true })
      const link = event.data.link
      if (link?.to === 'server') this.take(link, (message) => this.channel.postMessage({ link: message }))
    }
  }

  run(): void {
    clearTimeout(this.timer)
    const wait = this.module.exports.server_run()
    this.timer = setTimeout(() => this.run(), Math.max(1, wait))
  }

  take(message: LocalMessage, answer: (message: LocalMessage) => void): void {
    const known = [...this.clients.entries()].find(([, client]) => client.id === message.from && client.peer === message.peer)
    if (message.kind === 'open' && !known) {
      const peer = this.module.exports.link_accept()
      this.clients.set(peer, { id: message.from, peer: message.peer, answer })
      answer({ to: message.from, from: 'server', kind: 'opened', peer: message.peer })
    } else if (known && message.kind === 'data' && message.bytes) {
      this.module.received(known[0], message.bytes)
    } else if (known && message.kind === 'close') {
      this.clients.delete(known[0])
      this.module.closed(known[0], message.reason ?? 1)
    }
    this.module.exports.server_receive()
  }

  connect(): void {}
  send(peer: number, bytes: Uint8Array): boolean {
    const client = this.clients.get(peer)
    client?.answer({ to: client.id, from: 'server', kind: 'data', peer: client.peer, bytes })
    return client !== undefined
  }
  close(peer: number, reason: number): void {
    const client = this.clients.get(peer)
    this.clients.delete(peer)
    client?.answer({ to: client.id, from: 'server', kind: 'close', peer: client.peer, reason })
  }
  pending(): number { return 0 }
}

let server: Server | null = null
let module: Module | null = null

function addScene(name: string, text: string): string {
  return module === null ? '' : module.withText(name, (at, size) => module!.withText(text, (textAt, textSize) =>
    module!.text(() => module!.exports.scene_add(at, size, textAt, textSize))))
}

async function start(request: StartRequest['start']): Promise<void> {
  module = await Module.load(request.module)
  let fault = addScene(request.scene, request.text)
  if (fault === '')
    fault = module.withText(request.scene, (at, size) =>
      module!.text(() => module!.exports.server_start(at, size, request.seed, 1)))
  if (fault !== '') return worker.postMessage({ fault })
  if (request.tick > 0) module.exports.server_forward(request.tick)
  server = new Server(module, request.room)
  server.run()
  worker.postMessage({ ready: true })
}

worker.onmessage = (event) => {
  const request = event.data
  if ('link' in request) return server?.take(request.link, isFromThisTab)
  if ('start' in request) {
    start(request.start).catch((error: unknown) => worker.postMessage({ fault: String(error) }))
    return
  }
  if (!module) return
  if ('scene' in request) {
    const fault = addScene(request.scene.name, request.scene.text)
    module.exports.server_refresh_scenes()
    worker.postMessage({ scene: request.scene.name, fault })
  } else if ('recording' in request) {
    const ticks = module.exports.server_recording()
    worker.postMessage({ recording: module.resultBytes(), ticks })
  } else if ('report' in request) {
    worker.postMessage({ report: module.json(() => module!.exports.server_report()) })
  }
}
