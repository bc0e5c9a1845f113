// What the page shows: the world of a gate's server, of a local server, or a recording.
import type { App } from './app'
import { GateCarrier, isHosted, LocalCarrier, type LocalPort, TabPort, WorkerPort } from './carriers'
import { button } from './dom'
import { linkTo } from './link'
import { LocalServer } from './local'
import { Module } from './module'
import type { Scene } from './panels'
import type { Status } from './status'

const clientModule = 'jostle_client.wasm'
const engineModule = 'jostle_engine.wasm'
const engineUse = { none: 0, predict: 1, lockstep: 2 } as const
const defaultScene = 'crates'
const operatorRole = 2
const playing = 2
const failed = 3
const seed = 1
const updatePauseMs = 10

interface Site { scenes: Scene[] }

export class Session {
  module: Module | null = null        // provides the picture
  clientModule: Module | null = null  // holds the client
  isReplaying = false
  scenes: readonly Scene[] = []
  private engine: Promise<Module> | null = null
  private client: Promise<Module> | null = null
  private local: LocalServer | null = null
  private use: number = engineUse.none
  private isPlayer = false
  private role = 0
  private hasNewScenes = false
  private room = ''
  private isCameraSet = false
  private reconnectToken = ''
  private shownReplay: Uint8Array | null = null
  private wantedScene = ''

  constructor(private readonly app: App) {
    const { link } = app
    this.use = link.lockstep ? engineUse.lockstep : link.predict ? engineUse.predict : engineUse.none
  }

  /** True if the page has no gate: its worlds run in the browser. */
  readonly isSite = document.querySelector<HTMLMetaElement>('meta[name="jostle-mode"]')?.content === 'site'
  get isLocal(): boolean { return this.isSite }
  get mayControl(): boolean { return this.isSite || this.role === operatorRole }
  get mayRecord(): boolean { return this.local !== null || this.use === engineUse.lockstep }

  private loadEngine(): Promise<Module> { return this.engine ??= Module.load(engineModule) }
  private loadClient(): Promise<Module> { return this.client ??= Module.load(clientModule) }
  /** Returns the module that the client runs in. */
  private loadOwn(): Promise<Module> { return this.use === engineUse.none ? this.loadClient() : this.loadEngine() }
  /** Begins to load the module of the client. start() reports its errors. */
  preload(): void {
    if (!this.app.link.replay) this.loadOwn().catch(() => {})
  }

  private setModule(module: Module): void {
    if (this.module === module) return
    this.module = module
    this.app.onModule()
  }

  async start(): Promise<void> {
    const { link } = this.app
    this.isPlayer = this.isSite || link.play
    if (link.name) this.app.settings.name = link.name
    if (this.isSite) this.scenes = (await (await fetch('site.json')).json() as Site).scenes
    if (link.replay) return this.openLinked(link.replay, link.compare, link.tick)
    if (this.isSite) await this.startLocal()
    else await this.startGate()
  }

  // --- worlds ----------------------------------------------------------------------------------

  private async startGate(): Promise<void> {
    const module = await this.loadOwn()
    this.stopClient()
    // Only the server has the messages for the engine. Other viewers may share one coding.
    const url = new URL(this.use === engineUse.none ? 'ws' : 'ws/server', new URL('.', location.href))
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
    module.carrier = new GateCarrier(module, url.href, this.app.link.token, ({ role }) => { this.role = role; performance.mark('jostle-admitted') }, () => this.onMessage())
    await this.startClient(module)
  }

  private async startLocal(text?: string): Promise<void> {
    const { link } = this.app
    this.room = link.room ?? this.room ?? ''
    const isGuest = this.room !== '' && this.local === null && await isHosted(this.room)
    if (!isGuest && this.local === null) {
      this.room ||= crypto.randomUUID().slice(0, 8)
      const known = this.scenes.find((scene) => scene.name === link.scene)
      if (link.scene !== null && !known) this.app.hud.say(`there is no scene '${link.scene}'; this is ${defaultScene}`)
      this.local = new LocalServer(this.scenes, this.room)
      await this.local.start(known?.name ?? defaultScene, seed, link.tick, text)
    }
    const module = await this.loadOwn()
    this.stopClient()
    const port: LocalPort = this.local ? new WorkerPort(this.local.worker) : new TabPort(this.room)
    module.carrier = new LocalCarrier(module, port, () => this.onMessage())
    await this.startClient(module)
    if (isGuest) this.app.hud.say('this tab plays in the world of another tab')
  }

  private async startClient(module: Module): Promise<void> {
    performance.mark('jostle-module')
    await this.app.renderer.prepare(module)
    performance.mark('jostle-shaders')
    const { exports } = module
    const low = parseInt(this.reconnectToken.slice(8) || '0', 16)
    const high = parseInt(this.reconnectToken.slice(0, 8) || '0', 16)
    module.withText(this.app.settings.name, (at, size) =>
      exports.client_start(at, size, this.isPlayer ? 0 : 1, this.use, low, high))
    this.clientModule = module
    this.module = null
    this.setModule(module)
  }

  private stopClient(): void {
    this.clientModule?.exports.client_stop()
    this.clientModule = null
  }

  private onMessage(): void {
    // A hidden or slow tab draws few frames, but it must answer the server in time.
    if (document.hidden || performance.now() - this.app.updatedMs > updatePauseMs) this.update()
  }
  update(): void {
    this.app.updatedMs = performance.now()
    this.clientModule?.exports.client_update()
  }

  /** Follows the state of the client: messages, notices, the linked camera. */
  follow(status: Status | null): void {
    const { hud, link } = this.app
    const client = this.clientModule
    if (!status || !client) return
    const notice = client.text(() => client.exports.client_take_notice())
    if (notice !== '') hud.say(notice)
    if (status.state === playing) {
      hud.showMessage()
      if (!this.isCameraSet && this.app.frame) {
        this.isCameraSet = true
        if (link.camera) client.exports.view_look(...link.camera.eye, ...link.camera.target)
        if (!this.isSite) client.exports.client_ask_for_scenes()
        if (!this.isSite && link.scene && link.scene !== status.scene && this.mayControl) this.chooseScene(link.scene)
      }
      if (this.wantedScene === status.scene) {
        this.wantedScene = ''
        const description = this.scenes.find((scene) => scene.name === status.scene)?.description
        if (description) hud.say(description)
      }
    } else if (status.state === failed) {
      hud.showMessage(this.failureText(status), this.tryAgainButton())
    } else if (status.reconnecting) {
      hud.showMessage('The connection is lost. This page connects again by itself.', `silent for ${status.silent_s.toFixed(0)} s`)
    } else {
      hud.showMessage(status.text ? `Connecting: ${status.text.replace(/127\.0\.0\.1:\d+/g, 'the server')}` : 'Connecting…')
    }
    this.readScenes()
  }

  private failureText(status: Status): string {
    const text = status.text.replace(/ ?at 127\.0\.0\.1:\d+/g, '').replace(/127\.0\.0\.1:\d+/g, 'it')
    return text.charAt(0).toUpperCase() + text.slice(1)
  }

  private again: HTMLButtonElement | null = null
  private tryAgainButton(): HTMLElement {
    return this.again ??= button('Try again', () => {
      if (this.isSite && !this.local) void this.startLocal()
      else this.clientModule?.exports.client_try_again()
    })
  }

  // --- players ---------------------------------------------------------------------------------

  /** Joins as a player, or leaves the game and watches. */
  togglePlaying(): void {
    const isPlayer = this.app.status?.player !== 0
    if (!isPlayer && !this.isSite && this.role === 0) {
      this.app.hud.say('watching only: playing needs a link with a token')
      return
    }
    this.isPlayer = !isPlayer
    this.reconnectToken = ''
    void (this.isSite ? this.startLocal() : this.startGate())
  }

  /** Opens a second tab that joins this tab's world; both run in lockstep. */
  async openSecondTab(): Promise<void> {
    const link = linkTo({ room: this.room, name: `${this.app.settings.name} 2` }, ['lockstep'])
    const opened = window.open(link, '_blank')
    if (!opened) this.app.hud.say('the browser has blocked the second tab; allow it and try again')
    if (this.use === engineUse.lockstep) return
    this.use = engineUse.lockstep
    await this.startLocal()
  }

  // --- scenes ----------------------------------------------------------------------------------

  askForScenes(): void { if (!this.isSite) this.clientModule?.exports.client_ask_for_scenes() }

  private readScenes(): void {
    const client = this.clientModule
    if (!client || this.isSite) return
    const found = client.json<Scene[]>(() => client.exports.client_scenes()) ?? []
    if (found.length === 0 || found.length === this.scenes.length) return
    this.scenes = found
    this.hasNewScenes = true
  }
  takeNewScenes(): boolean {
    const isNew = this.hasNewScenes
    this.hasNewScenes = false
    return isNew
  }

  chooseScene(name: string): void {
    if (this.isReplaying) this.leaveReplay()
    this.wantedScene = name
    this.clientModule?.withText(name, (at, size) => this.clientModule?.exports.client_load_scene(at, size))
  }

  stepScene(steps: number): void {
    if (this.scenes.length === 0) return this.askForScenes()
    const at = this.scenes.findIndex((scene) => scene.name === (this.wantedScene || this.app.status?.scene))
    const next = this.scenes[(at + steps + this.scenes.length) % this.scenes.length]
    if (next) this.chooseScene(next.name)
  }

  // --- recordings ------------------------------------------------------------------------------

  async recording(): Promise<{ bytes: Uint8Array; ticks: number } | null> {
    if (this.local) {
      const { recording, ticks } = await this.local.recording()
      return recording && ticks ? { bytes: recording, ticks } : null
    }
    const client = this.clientModule
    if (!client?.hasEngine) return null
    const ticks = client.exports.lockstep_recording()
    return ticks > 0 ? { bytes: client.resultBytes(), ticks } : null
  }

  /** Opens files: one or two recordings, or a scene. */
  async open(files: readonly File[], isCompared: boolean): Promise<void> {
    const recordings = files.filter((file) => file.name.endsWith('.jrec'))
    const scene = files.find((file) => file.name.endsWith('.json'))
    if (recordings.length === 0 && scene) return this.openScene(scene)
    if (recordings.length === 0) return this.app.hud.say('this page opens recordings (.jrec) and scenes (.scene.json)')
    const [first, second] = await Promise.all(recordings.slice(0, 2).map(async (file) => new Uint8Array(await file.arrayBuffer())))
    if (!first) return
    if (isCompared && this.shownReplay) await this.openRecording(this.shownReplay, first)
    else await this.openRecording(first, second ?? null)
  }

  private async openScene(file: File): Promise<void> {
    if (!this.local) return this.app.hud.say('only a page without a server opens scenes')
    const name = file.name.replace(/(\.scene)?\.json$/, '')
    try {
      await this.local.addScene(name, await file.text())
      this.wantedScene = name
      this.clientModule?.withText(name, (at, size) => this.clientModule?.exports.client_load_scene(at, size))
    } catch (error) {
      this.app.hud.say(error instanceof Error ? error.message : String(error))
    }
  }

  private async openLinked(replay: string, compare: string | null, tick: number): Promise<void> {
    const load = async (name: string): Promise<Uint8Array> => {
      const url = new URL(name, location.href)
      if (url.origin !== location.origin) throw new Error('a recording must come from the same host as the page')
      const response = await fetch(url)
      if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`)
      return new Uint8Array(await response.arrayBuffer())
    }
    await this.openRecording(await load(replay), compare ? await load(compare) : null)
    if (tick > 0) this.module?.exports.replay_seek(tick)
    const { camera } = this.app.link
    if (camera) this.module?.exports.view_look(...camera.eye, ...camera.target)
  }

  async openRecording(bytes: Uint8Array, other: Uint8Array | null): Promise<void> {
    this.app.hud.showMessage('Reading the recording…')
    const module = await this.loadEngine()
    const fault = module.withBytes(bytes, (at, size) => module.withBytes(other ?? new Uint8Array(0), (otherAt, otherSize) =>
      module.text(() => module.exports.replay_open(at, size, otherAt, otherSize))))
    this.app.hud.showMessage()
    if (fault !== '') {
      this.app.hud.say(fault)
      if (!this.module) this.app.hud.showMessage(fault)
      return
    }
    this.shownReplay = bytes
    this.isReplaying = true
    this.module = null
    this.setModule(module)
    this.app.hud.say('playing a recording: the engine computes it again in this tab')
    if (this.app.link.tick === 0) module.exports.replay_toggle()
  }

  leaveReplay(): void {
    this.module?.exports.replay_close()
    this.isReplaying = false
    this.shownReplay = null
    if (this.clientModule) {
      const client = this.clientModule
      client.exports.view_select(0)
      client.exports.client_show()
      this.module = null
      this.setModule(client)
    } else {
      this.module = null
      void (this.isSite ? this.startLocal() : this.startGate())
    }
  }
}
