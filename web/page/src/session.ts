// What the page shows: the world of a gate's server, of a local server, or a recording.
import type { App } from './app'
import { GateCarrier, isHosted, LocalCarrier, type LocalPort, maxTokenBytes, TabPort, WorkerPort } from './carriers'
import { button, element } from './dom'
import { linkFault, linkTo } from './link'
import { LocalServer } from './local'
import { Module } from './module'
import type { Scene } from './panels'
import type { ReplayStatus, Status } from './status'

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
  private replayModule: Module | null = null
  private wantedScene = ''
  private wantedSteps = 0  // in the list of scenes, as soon as it is known
  private notes: string[]  // shown when the first world plays
  private sceneBefore = defaultScene  // the last scene of the list that was shown before the newest one
  private shownScene = ''
  private sceneAfterStart = ''  // chosen before the client plays
  private ended: Node[] | null = null  // the message, if a module has ended
  private hasWorkerEnded = false

  constructor(private readonly app: App) {
    const { link } = app
    this.use = link.lockstep ? engineUse.lockstep : link.predict ? engineUse.predict : engineUse.none
    this.notes = [...link.faults]
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
    if (!this.isSite && link.room !== null) this.notes.push(linkFault('room', link.room, 'the path /room/NAME/ of the page of a server'))
    if (!this.isSite && link.tick > 0 && !link.replay)
      this.notes.push(linkFault('tick', String(link.tick), 'a tick of a recording, or of a page without a server'))
    if (link.replay) return this.openLinked(link.replay, link.compare, link.tick)
    if (this.isSite) await this.startLocal(link.scene, link.tick)
    else await this.startGate()
  }

  /** Shows what is to be said about the link, once. */
  private showNotes(): void {
    if (this.notes.length > 0) this.app.hud.say(this.notes.splice(0).join(' '))
  }

  // --- the end of a module -----------------------------------------------------------------------

  /** Shows that a module has ended, and ways on. `isOwn`: a module of this thread, else that of the worker. */
  end(text: string, isOwn: boolean): void {
    if (isOwn) this.dropModules()
    else this.hasWorkerEnded = true
    // A wanted scene that is not shown yet has ended the worker, not the shown one.
    if (this.wantedScene !== '' && this.isListed(this.shownScene)) this.sceneBefore = this.shownScene
    const buttons = element('div', { class: 'actions' },
      button(this.hasWorkerEnded ? `Start ${this.sceneBefore}` : 'Start again', () => void this.restart()))
    if (this.isSite) buttons.append(button('Choose a scene', () => this.app.openScenes()))
    this.ended = [element('p', {}, text), buttons]
    this.app.hud.showMessage(...this.ended)
    document.body.dataset['fault'] = text
  }
  get hasEnded(): boolean { return this.ended !== null }

  /** Forgets the modules of this thread, whose memory is in no known state. */
  private dropModules(): void {
    for (const module of [this.module, this.clientModule, this.replayModule]) module?.carrier.end()
    this.module = this.clientModule = this.replayModule = this.client = this.engine = null
    this.isReplaying = false
    this.shownReplay = null
  }

  /** Starts again after a module has ended. Without a scene, the world of a worker that has not ended goes on. */
  async restart(scene = this.hasWorkerEnded ? this.sceneBefore : ''): Promise<void> {
    this.ended = null
    this.wantedScene = ''
    delete document.body.dataset['fault']
    this.app.hud.showMessage('Starting…')
    if (this.isReplaying) this.closeReplay()
    this.stopClient()  // it would wait for the ended worker
    this.app.status = null
    if (this.hasWorkerEnded) {
      this.local?.stop()
      this.local = null
      this.hasWorkerEnded = false
    }
    this.sceneAfterStart = scene
    try {
      await (this.isSite ? this.startLocal(scene || null) : this.startGate())
    } catch (error) {
      this.end(error instanceof Error ? error.message : String(error), false)
    }
  }

  // --- worlds ----------------------------------------------------------------------------------

  private async startGate(): Promise<void> {
    const tokenBytes = new TextEncoder().encode(this.app.link.token).length
    if (tokenBytes > maxTokenBytes) {
      this.app.hud.showMessage(`The token of the link has ${tokenBytes} bytes; accepted: at most ${maxTokenBytes}. Copy the whole link again.`)
      return
    }
    const module = await this.loadOwn()
    this.stopClient()
    // Only the server has the messages for the engine. Other viewers may share one coding.
    const url = new URL(this.use === engineUse.none ? 'ws' : 'ws/server', new URL('.', location.href))
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
    module.carrier = new GateCarrier(module, url.href, this.app.link.token, ({ role }) => { this.role = role; performance.mark('jostle-admitted') }, () => this.onMessage())
    await this.startClient(module)
  }

  /** Starts the world of the tab, or joins that of another tab. A tick above 0 is computed at once. */
  private async startLocal(scene = this.app.link.scene, tick = 0): Promise<void> {
    const { link } = this.app
    this.room = link.room ?? this.room ?? ''
    const isGuest = this.room !== '' && this.local === null && await isHosted(this.room)
    if (!isGuest && this.local === null) {
      if (link.room !== null && this.shownScene === '') this.notes.push(`No other tab has the room '${link.room}'; this tab opens it.`)
      this.room ||= crypto.randomUUID().slice(0, 8)
      const known = this.scenes.find(({ name }) => name === scene)
      if (scene !== null && !known) this.notes.push(`There is no scene '${scene}'; this is ${defaultScene}.`)
      this.local = new LocalServer(this.scenes, this.room)
      await this.local.start(known?.name ?? defaultScene, seed, tick)
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
    this.app.status = null
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
    const start = this.app.updatedMs = performance.now()
    this.clientModule?.exports.client_update()
    this.app.updateMs += performance.now() - start
  }

  /** Follows the state of the client: messages, notices, the linked camera. */
  follow(status: Status | null): void {
    const { hud, link } = this.app
    const client = this.clientModule
    if (this.ended) return hud.showMessage(...this.ended)
    if (!status || !client) return
    const notice = client.text(() => client.exports.client_take_notice())
    if (notice !== '') hud.say(notice)
    if (status.state === playing) {
      hud.showMessage()
      this.showNotes()
      this.noteScene(status.scene)
      const wanted = this.sceneAfterStart
      this.sceneAfterStart = ''
      if (wanted !== '' && wanted !== status.scene) this.chooseScene(wanted)
      if (!this.isCameraSet && this.app.frame) {
        this.isCameraSet = true
        if (link.camera) client.exports.view_look(...link.camera.eye, ...link.camera.target)
        if (!this.isSite && link.scene && link.scene !== status.scene && this.mayControl) {
          this.askForScenes()
          this.chooseScene(link.scene)
        }
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

  private isListed(scene: string): boolean { return this.scenes.some(({ name }) => name === scene) }

  private noteScene(scene: string): void {
    if (scene === this.shownScene) return
    if (this.isListed(this.shownScene)) this.sceneBefore = this.shownScene
    this.shownScene = scene
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
    if (this.wantedSteps !== 0) this.stepScene(this.wantedSteps)
  }
  takeNewScenes(): boolean {
    const isNew = this.hasNewScenes
    this.hasNewScenes = false
    return isNew
  }

  chooseScene(name: string): void {
    if (this.ended) return void this.restart(name)
    if (this.isReplaying) this.leaveReplay()
    if (this.app.status?.state !== playing) {
      this.sceneAfterStart = name
      return
    }
    this.wantedScene = name
    this.clientModule?.withText(name, (at, size) => this.clientModule?.exports.client_load_scene(at, size))
  }

  stepScene(steps: number): void {
    // Only servers with other scenes have a list of them, so the page does not ask for it before it is wanted.
    this.wantedSteps = this.scenes.length === 0 ? steps : 0
    if (this.scenes.length === 0) return this.askForScenes()
    const at = this.scenes.findIndex((scene) => scene.name === (this.wantedScene || this.app.status?.scene))
    const next = this.scenes[(at + steps + this.scenes.length) % this.scenes.length]
    if (next) this.chooseScene(next.name)
  }

  // --- recordings ------------------------------------------------------------------------------

  async recording(): Promise<{ bytes: Uint8Array; ticks: number } | null> {
    if (this.ended) return null
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
    if (!this.isSite) return this.app.hud.say('only a page without a server opens scenes')
    const name = file.name.replace(/(\.scene)?\.json$/, '')
    try {
      if (this.ended) await this.restart()
      const isClosed = this.isReplaying
      if (!this.local && !this.clientModule) await this.startLocal()  // a link to a recording has started no world
      if (!this.local) return this.app.hud.say('only the tab that started this world opens scenes')
      await this.local.addScene(name, await file.text())
      this.chooseScene(name)
      if (isClosed) this.app.hud.say(`closed the recording and opened the scene '${name}'`)
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
    if (tick > 0) this.seekLinked(tick)
    const { camera } = this.app.link
    if (camera) this.module?.exports.view_look(...camera.eye, ...camera.target)
  }

  private seekLinked(tick: number): void {
    const module = this.replayModule
    const status = module?.json<ReplayStatus>(() => module.exports.replay_status())
    if (!status) return
    module?.exports.replay_seek(tick)
    if (tick < status.first || tick > status.last) this.app.hud.say(linkFault('tick', String(tick), `ticks ${status.first} to ${status.last} of this recording`))
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
    if (!this.hasWorkerEnded) this.ended = null
    this.shownReplay = bytes
    this.replayModule = module
    this.isReplaying = true
    this.module = null
    this.setModule(module)
    const status = module.json<ReplayStatus>(() => module.exports.replay_status())
    this.notes.unshift(status && status.cut !== '' ? `${status.cut}.` : 'Playing a recording: the engine computes it again in this tab.')
    this.showNotes()
    if (this.app.link.tick === 0) module.exports.replay_toggle()
  }

  private closeReplay(): void {
    this.replayModule?.exports.replay_close()
    this.replayModule = null
    this.isReplaying = false
    this.shownReplay = null
  }

  leaveReplay(): void {
    this.closeReplay()
    if (this.hasWorkerEnded && !this.clientModule) return void this.restart()
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
