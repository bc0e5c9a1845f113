// A world without a server: jostle's server runs in a worker of this tab.
import type { Scene } from './panels'
import type { WorkerRequest } from './worker'

export interface Answer {
  ready?: boolean; fault?: string; scene?: string; recording?: Uint8Array; ticks?: number; report?: LocalReport
}
export interface LocalReport { tick: number; scene: string; clients: number; desyncs: number; desync: string; skipped: number }

export class LocalServer {
  readonly worker = new Worker('worker.js', { type: 'module' })
  private readonly sent = new Set<string>()
  private waiting: ((answer: Answer) => void)[] = []

  constructor(readonly scenes: readonly Scene[], readonly room: string) {
    this.worker.addEventListener('message', (event: MessageEvent<Answer & { link?: unknown }>) => {
      if (event.data.link) return
      this.waiting.shift()?.(event.data)
    })
  }

  private ask(request: WorkerRequest): Promise<Answer> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.worker.postMessage(request)
    })
  }

  /** Fetches the text of a scene of the site. */
  static async sceneText(name: string): Promise<string> {
    const response = await fetch(`scenes/${encodeURIComponent(name)}.scene.json`)
    if (!response.ok) throw new Error(`scene '${name}': ${response.status} ${response.statusText}`)
    return response.text()
  }

  async start(scene: string, seed: number, tick: number, text?: string): Promise<void> {
    const start = { module: 'jostle_engine.wasm', scene, text: text ?? await LocalServer.sceneText(scene), seed, room: this.room, tick }
    this.sent.add(scene)
    const answer = await this.ask({ start })
    if (answer.fault) throw new Error(answer.fault)
  }

  /** Gives a scene to the server, so that clients can choose it. */
  async addScene(name: string, text?: string): Promise<void> {
    if (text === undefined && this.sent.has(name)) return
    const answer = await this.ask({ scene: { name, text: text ?? await LocalServer.sceneText(name) } })
    if (answer.fault) throw new Error(answer.fault)
    this.sent.add(name)
  }

  /** Gives the other scenes to the server, one after the other. */
  async addAllScenes(): Promise<void> {
    for (const scene of this.scenes) await this.addScene(scene.name)
  }

  async recording(): Promise<Answer> { return this.ask({ recording: true }) }
  async report(): Promise<LocalReport | undefined> { return (await this.ask({ report: true })).report }
  stop(): void { this.worker.terminate() }
}
