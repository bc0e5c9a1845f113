// The worker with a server of this tab: the same server as jostled, compiled to WebAssembly. Its
// clients are this page and other tabs of the browser.
import { type Carrier, Module } from './module'
import type { LocalMessage } from './carriers'

export interface StartRequest {
  start: { module: string; scene: string; text: string; seed: number; room: string; tick: number
    offers: { name: string; description: string }[] }
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
  end(): void {}  // the worker ends as a whole
  pending(): number { return 0 }
}

let server: Server | null = null
let module: Module | null = null

function addScene(name: string, text: string): string {
  return module === null ? '' : module.withText(name, (at, size) => module!.withText(text, (textAt, textSize) =>
    module!.text(() => module!.exports.scene_add(at, size, textAt, textSize))))
}

const texts = new Map<string, string>()

/** Fetches the file of a scene while the module waits for it. Only workers may do this. */
function fetchNow(name: string): string | null {
  const known = texts.get(name)
  if (known !== undefined) return known
  const request = new XMLHttpRequest()
  request.open('GET', `scenes/${encodeURIComponent(name)}.scene.json`, false)
  try {
    request.send()
  } catch {
    return null
  }
  if (request.status !== 200) return null
  texts.set(name, request.responseText)
  return request.responseText
}

async function start(request: StartRequest['start']): Promise<void> {
  const loaded = module = await Module.load(request.module)
  loaded.sceneText = fetchNow
  for (const { name, description } of request.offers)
    loaded.withText(name, (at, size) => loaded.withText(description, (textAt, textSize) =>
      loaded.exports.scene_offer(at, size, textAt, textSize)))
  let fault = addScene(request.scene, request.text)
  if (fault === '')
    fault = loaded.withText(request.scene, (at, size) =>
      loaded.text(() => loaded.exports.server_start(at, size, request.seed, 1)))
  if (fault !== '') return worker.postMessage({ fault })
  if (request.tick > 0) loaded.exports.server_forward(request.tick)
  server = new Server(loaded, request.room)
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
