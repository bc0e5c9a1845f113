// A world without a server: jostle's server runs in a worker of this tab.
import type { Scene } from './panels'
import type { WorkerRequest } from './worker'

export interface Answer {
  ready?: boolean; fault?: string; scene?: string; recording?: Uint8Array; ticks?: number; report?: LocalReport
}
export interface LocalReport { tick: number; scene: string; clients: number; desyncs: number; desync: string; skipped: number }

/** Name of the event of the window whose detail is the error that ended the worker. */
export const workerFault = 'jostle-worker-fault'

export class LocalServer {
  readonly worker = new Worker('worker.js', { type: 'module' })
  private waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = []
  private fault: Error | null = null  // the error that ended the worker

  constructor(readonly scenes: readonly Scene[], readonly room: string) {
    this.worker.addEventListener('message', (event: MessageEvent<Answer & { link?: unknown }>) => {
      if (event.data.link) return
      this.waiting.shift()?.resolve(event.data)
    })
    this.worker.addEventListener('error', (event) => {
      this.fault ??= new Error(event.message || 'the worker of the world has ended')
      for (const { reject } of this.waiting.splice(0)) reject(this.fault)
      dispatchEvent(new CustomEvent(workerFault, { detail: this.fault.message }))
    })
  }

  private ask(request: WorkerRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.fault) return reject(this.fault)
      this.waiting.push({ resolve, reject })
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
    const start = { module: 'jostle_engine.wasm', scene, text: text ?? await LocalServer.sceneText(scene), seed, room: this.room, tick,
      offers: this.scenes.map(({ name, description }) => ({ name, description })) }
    const answer = await this.ask({ start })
    if (answer.fault) throw new Error(answer.fault)
  }

  /** Gives the user's own scene to the server, so that clients can choose it. */
  async addScene(name: string, text: string): Promise<void> {
    const answer = await this.ask({ scene: { name, text } })
    if (answer.fault) throw new Error(answer.fault)
  }

  async recording(): Promise<Answer> { return this.ask({ recording: true }) }
  async report(): Promise<LocalReport | undefined> { return (await this.ask({ report: true })).report }
  stop(): void { this.worker.terminate() }
}
