// The page: draws the world of a server, of a local server, or of a recording.
import { AdaptiveQuality } from './adaptive_quality'
import { button, byId, element, saveFile } from './dom'
import { type Frame, readFrame } from './frame'
import { type Figures, Hud } from './hud'
import { type CommandName, Input, type PageAction } from './input'
import { cameraText, linkTo, readLink } from './link'
import { workerFault } from './local'
import type { Module } from './module'
import { BodiesPanel, DrawPanel, helpContent, looks, NetPanel, openDialog, type Panel, sceneList, StatisticsPanel } from './panels'
import { ReplayPanel } from './replay_panel'
import { type Look, type Quality, Renderer } from './render'
import { Session } from './session'
import { readSettings, type Settings, writeSettings } from './settings'
import { settingsForm } from './settings_form'
import type { Body, ReplayStatus, Status } from './status'
import { TouchStick } from './touch_stick'

const statusMs = 200
const cameraModes = ['orbit', 'follow', 'free'] as const
const maxFrameSeconds = 0.1

type BodyRow = [number, string, number, boolean, number, number, number]

export class App {
  readonly link = readLink()
  settings: Settings = readSettings()
  readonly hud = new Hud((body) => this.bodyOf(body)?.name || `body ${body}`)
  readonly renderer: Renderer
  private readonly adaptive: AdaptiveQuality
  readonly input: Input
  readonly session: Session
  frame: Frame | null = null
  status: Status | null = null
  replayStatus: ReplayStatus | null = null
  selected = 0
  frames = 0
  updatedMs = 0  // time of the last update of the client
  updateMs = 0   // script time of updates between frames; it counts for the next frame
  readonly figures: Figures = { framesPerSecond: 0, scriptMs: 0, drawCalls: 0, cameraMode: 'orbit' }
  private readonly canvas = byId<HTMLCanvasElement>('view')
  private readonly bodies: BodiesPanel
  private readonly draw: DrawPanel
  private readonly net: NetPanel
  private readonly statistics: StatisticsPanel
  private readonly replay: ReplayPanel
  private readonly touchStick: TouchStick
  private bar: { node: HTMLButtonElement; isOn: () => boolean; isShown: () => boolean }[] = []
  scriptTimes: number[] | null = null  // for measurements: collects the script time of each frame, ms
  private lastMs = 0
  private windowWidth = 0  // width of the window, CSS pixels
  private nextStatusMs = 0
  private shownScene = ''

  constructor() {
    performance.mark('jostle-script')
    this.session = new Session(this)
    this.session.preload()  // before the renderer, whose context keeps this thread waiting
    this.renderer = new Renderer(this.canvas)
    this.adaptive = new AdaptiveQuality(this.settings, this.renderer.isSoftware)
    this.renderer.setQuality(this.quality())
    performance.mark('jostle-context')
    this.input = new Input(this.canvas, (action) => this.act(action), (x, y) => this.select(this.pick(x, y)))
    const changed = (): void => this.choose()
    this.bodies = new BodiesPanel(changed, (body) => this.select(body), () => this.follow())
    this.draw = new DrawPanel(changed, changed)
    this.net = new NetPanel(changed)
    this.statistics = new StatisticsPanel(changed)
    this.replay = new ReplayPanel(() => this.module, (text) => this.hud.say(text), () => this.chooseFile(true), () => this.session.leaveReplay())
    this.touchStick = new TouchStick(this.input)
    this.makeBar()
    this.applySettings()
    addEventListener('resize', () => this.resize())
    addEventListener('hashchange', () => { if (location.hash.includes('scene=')) location.reload() })
    document.addEventListener('visibilitychange', () => { this.adaptive.restart(); this.nextStatusMs = 0; this.session.update() })
    this.acceptDrops()
    this.resize()
    this.canvas.focus({ preventScroll: true })
    requestAnimationFrame((now) => this.step(now))
  }

  get module(): Module | null { return this.session.module }

  quality(): Quality {
    const { shadows, shadowSize } = this.adaptive
    return { shadowSize, shadowTaps: { off: 0, hard: 1, soft: 4 }[shadows] }
  }

  // The canvas fills the window. Reading its own width in each frame would make the browser compute the layout.
  private get pixelScale(): number { return this.canvas.width / Math.max(this.windowWidth, 1) }

  private resize(): void {
    this.windowWidth = innerWidth
    const ratio = Math.min(devicePixelRatio * this.adaptive.scale, 3)
    this.renderer.resize(Math.max(1, Math.round(innerWidth * ratio)), Math.max(1, Math.round(innerHeight * ratio)))
  }

  applySettings(): void {
    const { settings } = this
    writeSettings(settings)
    if (settings.theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = settings.theme
    this.renderer.setQuality(this.quality())
    this.input.turnSpeed = settings.turnSpeed
    this.input.isTurnInverted = settings.invertTurn
    this.touchStick.show(settings.stick)
    byId('status').hidden = !settings.showFigures
    this.resize()
    this.choose()
  }

  /** Tells the module and the renderer about the draw modes. */
  choose(): void {
    if (!this.draw || !this.statistics) return  // during the constructor
    this.renderer.look = (looks[this.draw.look] ?? 'solid') as Look
    this.module?.exports.view_choose(this.draw.look, this.settings.showSleep ? 1 : 0, this.draw.areGhostsShown ? 1 : 0,
      this.draw.layers, this.statistics.isOpen ? 1 : 0)
    this.module?.exports.view_select(this.selected)
    this.refreshBar()
  }

  /** Called when another module provides the world. */
  onModule(): void {
    if (!this.module) return
    this.selected = 0
    this.hud.forgetNames()
    this.renderer.setModule(this.module)
    this.choose()
  }

  private step(now: number): void {
    requestAnimationFrame((next) => this.step(next))
    const start = performance.now()
    const seconds = Math.min((now - this.lastMs) / 1000, maxFrameSeconds)
    if (this.lastMs > 0 && seconds > 0) this.figures.framesPerSecond += 0.05 * (1 / seconds - this.figures.framesPerSecond)
    this.lastMs = now
    // With less quality, inputs and messages do not wait for the picture.
    if (this.frame && this.adaptive.noteFrame(now)) {
      this.renderer.setQuality(this.quality())
      this.resize()
    }
    const { module } = this
    this.frame = null
    if (module) {
      this.input.apply(module)
      const at = module.exports.frame(this.canvas.width, this.canvas.height, seconds, this.renderer.shadowSize)
      this.frame = readFrame(module, at)
      this.updatedMs = performance.now()
      if (this.frame) {
        this.renderer.draw(this.frame)
        if (this.frames === 0) performance.mark('jostle-picture')
        this.figures.drawCalls = this.renderer.drawCalls
        ++this.frames
      }
    }
    this.hud.moveTags(this.frame, 1 / this.pixelScale, this.settings.showTags)
    if (now >= this.nextStatusMs) {
      this.nextStatusMs = now + statusMs
      this.refresh()
    }
    const scriptMs = performance.now() - start + this.updateMs
    this.updateMs = 0
    this.figures.scriptMs += 0.05 * (scriptMs - this.figures.scriptMs)
    this.scriptTimes?.push(scriptMs)
  }

  private refresh(): void {
    const { module } = this
    if (!module) return
    const camera = module.json<{ mode: number }>(() => module.exports.view_camera())
    this.figures.cameraMode = cameraModes[camera?.mode ?? 0] ?? ''
    this.replayStatus = this.session.isReplaying ? module.json<ReplayStatus>(() => module.exports.replay_status()) : null
    this.replay.show(this.replayStatus !== null)
    const reader = this.session.clientModule
    this.status = reader ? reader.json<Status>(() => reader.exports.client_status()) : null
    if (this.replayStatus) {
      this.replay.update(this.replayStatus)
      this.hud.updateReplay(this.replayStatus, this.frame, this.figures)
    } else {
      this.hud.update(this.status, this.frame, this.figures, this.session.isLocal)
      this.session.follow(this.status)
      if (this.status && this.status.scene !== this.shownScene) {
        this.shownScene = this.status.scene
        document.title = this.shownScene ? `${this.shownScene} – jostle` : 'jostle'
        this.hud.forgetNames()
        // Scenes choose their cameras for wide pictures. In a high one, look from farther away.
        const aspect = this.canvas.width / this.canvas.height
        if (aspect < 1 && this.shownScene && !this.link.camera) this.input.moveAway(1.2 / aspect)
      }
    }
    if (this.status) this.net.add(this.status)
    if (this.statistics.isOpen) this.statistics.update(this.status)
    if (this.bodies.isOpen) {
      this.bodies.update(module.json<BodyRow[]>(() => module.exports.view_bodies()) ?? [], this.selected)
      const report = this.replayStatus?.report ?? this.status?.report
      const seconds = this.replayStatus ? this.replayStatus.tick / this.replayStatus.hz : this.status?.shown_s ?? 0
      this.bodies.updateBody(this.bodyOf(this.selected), report, seconds)
    }
    this.placeSide()
    this.refreshBar()
  }

  /** Keeps the panels at the right below the values of the game. */
  private placeSide(): void {
    const labels = byId('labels')
    const top = labels.hidden ? 12 : labels.getBoundingClientRect().bottom + 8
    byId('side').style.setProperty('--side-top', `${Math.round(top)}px`)
  }

  bodyOf(body: number): Body | null {
    const { module } = this
    return module && body !== 0 ? module.json<Body>(() => module.exports.view_body(body)) : null
  }

  pick(x: number, y: number): number { return this.module?.exports.view_pick(x, y) ?? 0 }

  select(body: number): void {
    this.selected = body
    this.module?.exports.view_select(body)
    if (body !== 0) {
      this.bodies.toggle(true)
      const found = this.bodyOf(body)
      this.hud.say(`selected ${found?.name || 'body'} (${body})`)
    }
    this.nextStatusMs = 0
  }

  follow(): void { this.module?.exports.view_follow(this.selected) }

  private toggle(panel: Panel): void {
    const isOpening = !panel.isOpen
    if (isOpening && innerWidth < 760)
      for (const other of [this.bodies, this.draw, this.net, this.statistics]) if (other !== panel) other.toggle(false)
    panel.toggle()
    if (isOpening) panel.root.querySelector<HTMLElement>('input, select, button:not(.close)')?.focus()
    else this.canvas.focus({ preventScroll: true })
    this.nextStatusMs = 0
  }

  act(action: PageAction): void {
    switch (action) {
      case 'help': return void openDialog('Controls', helpContent(this.session.isLocal
        ? '* everyone in this world may do this' : '* needs an operator token, or a server with --sandbox'))
      case 'settings': return void openDialog('Settings', settingsForm(this.settings, () => this.applySettings()))
      case 'net': return this.toggle(this.net)
      case 'bodies': return this.toggle(this.bodies)
      case 'draw': return this.toggle(this.draw)
      case 'statistics': return this.toggle(this.statistics)
      case 'hud':
        this.settings.showFigures = !this.settings.showFigures
        this.settings.showTags = this.settings.showFigures
        return this.applySettings()
      case 'look': return this.hud.say(`bodies: ${this.draw.nextLook()}`)
      case 'ghosts': return this.hud.say(`ghosts of the newest snapshot: ${this.draw.toggleGhosts() ? 'on' : 'off'}`)
      case 'inspect': {
        const { x, y } = this.input.aim()
        return this.select(this.pick(x, y))
      }
      case 'scenes': return this.openScenes()
      case 'previousScene': return this.session.stepScene(-1)
      case 'nextScene': return this.session.stepScene(1)
      case 'fullscreen': return void this.toggleFullScreen()
      case 'close':
        for (const panel of [this.draw, this.bodies, this.statistics, this.net]) if (panel.isOpen) return panel.toggle(false)
    }
  }

  command(name: CommandName): void {
    const { module } = this
    if (name === 'reset' && this.session.hasEnded) return void this.session.restart()
    if (this.replayStatus && module) {
      if (name === 'pause') module.exports.replay_toggle()
      if (name === 'stepOnce') module.exports.replay_step(1)
      if (name === 'slower' || name === 'faster') module.exports.replay_change_rate(name === 'faster' ? 1 : -1)
    }
    this.input.command(name)
    this.nextStatusMs = 0
  }

  private async toggleFullScreen(): Promise<void> {
    try {
      await (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen())
    } catch {
      this.hud.say('the browser does not allow full screen here')
    }
  }

  openScenes(): void {
    this.session.askForScenes()
    const content = element('div')
    const focused = (): string | undefined => content.querySelector('button:focus strong')?.textContent ?? undefined
    const show = (): void => {
      const name = focused()
      content.replaceChildren(sceneList(this.session.scenes, this.status?.scene ?? '', (chosen) => {
        dialog.close()
        this.session.chooseScene(chosen)
      }))
      // The new buttons replace the focused one.
      for (const each of content.querySelectorAll('button')) if (name && each.querySelector('strong')?.textContent === name) each.focus()
    }
    const dialog = openDialog('Scenes', content, true)
    show()
    const timer = setInterval(() => { if (this.session.takeNewScenes()) show() }, 200)
    dialog.addEventListener('close', () => clearInterval(timer))
  }

  /** Copies a link to this scene, camera and tick. */
  private async share(): Promise<void> {
    const { module } = this
    const camera = module?.json<{ eye: [number, number, number]; target: [number, number, number] }>(() => module.exports.view_camera())
    const tick = this.replayStatus?.tick ?? Math.floor(this.status?.shown_tick ?? 0)
    const link = linkTo({
      scene: this.status?.scene ?? null, camera: camera ? cameraText(camera) : null,
      tick: this.session.isLocal || this.replayStatus ? tick : null,
      replay: this.replayStatus ? this.link.replay : null, compare: this.replayStatus ? this.link.compare : null,
    })
    history.replaceState(null, '', link)
    try {
      await navigator.clipboard.writeText(link)
      this.hud.say('copied a link to this scene, camera and tick')
    } catch {
      this.hud.say('the address of the page now names this scene, camera and tick')
    }
  }

  private async saveRecording(): Promise<void> {
    const found = await this.session.recording()
    if (!found) return this.hud.say('there is nothing to record yet')
    saveFile(`${this.status?.scene || 'world'}.jrec`, found.bytes)
    this.hud.say(`saved the last ${found.ticks} ticks; drop the file on this page to play it`)
  }

  private makeBar(): void {
    const bar = byId('bar')
    const menu = byId<HTMLButtonElement>('menu')
    const add = (text: string, title: string, act: () => void, isOn: (() => boolean) | null = null, isShown = () => true): void => {
      const node = button(text, () => { act(); bar.classList.remove('open'); menu.setAttribute('aria-expanded', 'false') }, { title })
      bar.append(node)
      this.bar.push({ node, isOn: isOn ?? (() => false), isShown })
      if (isOn) node.setAttribute('aria-pressed', 'false')
    }
    const isLive = (): boolean => !this.session.isReplaying
    const isLocal = (): boolean => this.session.isLocal && isLive()
    add('Scenes', 'List of scenes (L)', () => this.act('scenes'), null, isLive)
    add('Play', 'Join as a player, or watch', () => this.session.togglePlaying(), () => this.status?.player !== 0, isLive)
    add('Pause', 'Pause (P)', () => this.command('pause'), () => this.status?.paused === true, () => isLive() && this.session.mayControl)
    add('Restart', 'Restart the scene (R)', () => this.command('reset'), null, () => isLive() && this.session.mayControl)
    add('Bodies', 'List of bodies (O)', () => this.act('bodies'), () => this.bodies.isOpen)
    add('Draw', 'Draw modes and overlays (B)', () => this.act('draw'), () => this.draw.isOpen)
    add('Net', 'Net graph (N)', () => this.act('net'), () => this.net.isOpen, isLive)
    add('Server', 'Server statistics (M)', () => this.act('statistics'), () => this.statistics.isOpen, isLive)
    add('Two tabs', 'Open a second tab that plays in lockstep with this one', () => void this.session.openSecondTab(), null, isLocal)
    add('Save', 'Save a recording of the last minute', () => void this.saveRecording(), null, () => isLive() && this.session.mayRecord)
    add('Open', 'Open a recording or a scene', () => this.chooseFile(false))
    add('Link', 'Copy a link to this scene, camera and tick', () => void this.share())
    add('Settings', 'Settings (F10)', () => this.act('settings'))
    add('Full screen', 'Full screen (F11)', () => this.act('fullscreen'))
    add('Help', 'All keys (H)', () => this.act('help'))
    menu.addEventListener('click', () => menu.setAttribute('aria-expanded', String(bar.classList.toggle('open'))))
  }

  private refreshBar(): void {
    for (const { node, isOn, isShown } of this.bar) {
      node.hidden = !isShown()
      if (node.hasAttribute('aria-pressed')) node.setAttribute('aria-pressed', String(isOn()))
    }
  }

  private chooseFile(isCompared: boolean): void {
    const field = element('input', { type: 'file', accept: '.jrec,.json', ...(isCompared ? {} : { multiple: '' }) })
    field.addEventListener('change', () => { if (field.files) void this.session.open([...field.files], isCompared) })
    field.click()
  }

  private acceptDrops(): void {
    const set = (isOver: boolean) => (event: DragEvent): void => {
      event.preventDefault()
      document.body.classList.toggle('dropping', isOver)
    }
    addEventListener('dragover', set(true))
    addEventListener('dragleave', set(false))
    addEventListener('drop', (event) => {
      set(false)(event)
      if (event.dataTransfer) void this.session.open([...event.dataTransfer.files], false)
    })
  }
}

/** Shows the end of a WebAssembly module, which throws errors from then on, and the ways on. */
function watchModules(session: Session): void {
  const end = (text: string, isOwn: boolean): void =>
    session.end(`jostle stopped: ${text}. The world may need more memory than a page has. Choose a smaller scene.`, isOwn)
  addEventListener('error', (event) => { if (event.error instanceof WebAssembly.RuntimeError) end(event.message, true) })
  addEventListener('unhandledrejection', ({ reason }) => { if (reason instanceof WebAssembly.RuntimeError) end(reason.message, true) })
  addEventListener(workerFault, (event) => end((event as CustomEvent<string>).detail, false))
}

/** Shows an error that ends the page, instead of an empty picture. */
function showFault(error: unknown): void {
  const message = byId('message')
  message.hidden = false
  message.textContent = `jostle stopped: ${error instanceof Error ? error.message : String(error)}`
  document.body.dataset['fault'] = message.textContent
}

try {
  const app = new App()
  watchModules(app.session)
  // For tests and for the console of the browser.
  Object.assign(window, { jostle: app })
  app.session.start().catch(showFault)
} catch (error) {
  showFault(error)
}
