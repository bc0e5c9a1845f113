// Keys, mouse, touch and gamepads of the canvas, as the module's input (web/wasm/view_exports.cpp).
import type { Module } from './module'

/** Order of the axes in the module. */
const axisNames = ['right', 'forward', 'jump', 'pull', 'repel', 'up', 'down', 'turnX', 'turnY', 'panX', 'panY', 'zoom',
  'lookX', 'lookY', 'zoomRate', 'dragging', 'aimingDrag', 'cursorX', 'cursorY', 'byGamepad'] as const
export type AxisName = typeof axisNames[number]

/** Numbers of controls::Command. */
export const commands = {
  pause: 1, stepOnce: 2, stepFive: 3, reset: 4, gravity: 5, fly: 10, follow: 18, slower: 22, faster: 23,
} as const
export type CommandName = keyof typeof commands

const clickKinds = { push: 0, shoot: 1, spawn: 2, blast: 3 } as const
export type ClickKind = keyof typeof clickKinds

/** An action that a key triggers once per press: a command of the module, or of the page. */
export type PageAction = 'help' | 'settings' | 'net' | 'hud' | 'look' | 'bodies' | 'draw' | 'ghosts' | 'statistics' | 'inspect' |
  'scenes' | 'previousScene' | 'nextScene' | 'fullscreen' | 'close'

const heldKeys: Record<string, AxisName | 'left' | 'back'> = {
  KeyW: 'forward', KeyS: 'back', KeyA: 'left', KeyD: 'right', Space: 'jump', KeyE: 'pull', KeyQ: 'repel',
}
const commandKeys: Record<string, CommandName> = {
  KeyP: 'pause', Period: 'stepOnce', KeyR: 'reset', KeyG: 'gravity', KeyF: 'follow', KeyC: 'fly', Minus: 'slower', Equal: 'faster',
}
const clickKeys: Record<string, ClickKind> = { Enter: 'push', KeyT: 'spawn', KeyX: 'blast' }
const pageKeys: Record<string, PageAction> = {
  KeyH: 'help', F1: 'help', F10: 'settings', KeyN: 'net', KeyU: 'hud', KeyV: 'look', KeyO: 'bodies', KeyB: 'draw', KeyK: 'ghosts',
  KeyM: 'statistics', KeyI: 'inspect', KeyL: 'scenes', BracketLeft: 'previousScene', BracketRight: 'nextScene', F11: 'fullscreen',
  Escape: 'close',
}
const turnKeys: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
}
const zoomKeys: Record<string, number> = { PageUp: 1, PageDown: -1 }

const clickMove = 5         // CSS pixels: a press that moves farther is no click
const longPressMs = 450
const deadZone = 0.15

export class Input {
  private readonly held = new Set<string>()
  private readonly tapped = new Set<string>()
  private axes: Record<AxisName, number> = zeroAxes()
  private clicks: { kind: ClickKind; x: number; y: number }[] = []
  private queued: number[] = []
  private readonly touches = new Map<number, { x: number; y: number; startX: number; startY: number; startMs: number; hasMoved: boolean }>()
  private press: { button: number; x: number; y: number; hasMoved: boolean; isShift: boolean; mode: 'click' | 'turn' | 'pan' | 'drag' } | null = null
  private cursor = { x: 0, y: 0, isKnown: false }
  // place where a drag has begun; the module must see it before the cursor moves away
  private dragStart: { x: number; y: number } | null = null
  private ctrl = false
  private padButtons: boolean[] = []
  private padUsed = false
  /** The touch pad at the lower left of the screen: −1..1. */
  stick = { x: 0, y: 0, isJump: false }
  turnSpeed = 1
  isTurnInverted = false

  constructor(readonly canvas: HTMLCanvasElement, private readonly act: (action: PageAction) => void,
    private readonly select: (x: number, y: number) => void) {
    canvas.addEventListener('keydown', (event) => this.keyDown(event))
    window.addEventListener('keyup', (event) => { this.held.delete(event.code); this.ctrl = event.ctrlKey })
    window.addEventListener('blur', () => this.releaseAll())
    canvas.addEventListener('pointerdown', (event) => this.pointerDown(event))
    canvas.addEventListener('pointermove', (event) => this.pointerMove(event))
    canvas.addEventListener('pointerup', (event) => this.pointerUp(event))
    canvas.addEventListener('pointercancel', (event) => this.pointerUp(event, true))
    canvas.addEventListener('dblclick', (event) => this.select(...this.place(event)))
    canvas.addEventListener('contextmenu', (event) => event.preventDefault())
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault()
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 100 : event.deltaY / 3
      this.axes.zoom -= lines
    }, { passive: false })
  }

  /** Moves the camera away from its target by a factor. */
  moveAway(factor: number): void { this.axes.zoom -= Math.log(factor) / Math.log(1 / 0.9) }

  /** Adds a command or a click, for buttons of the page. */
  command(name: CommandName): void { this.queued.push(commands[name]) }
  click(kind: ClickKind): void { this.clicks.push({ kind, ...this.aim() }) }

  private place(event: MouseEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect()
    const scale = this.canvas.width / Math.max(box.width, 1)
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale]
  }

  /** Returns the point at which actions aim: the cursor, or the middle without one. */
  aim(): { x: number; y: number } {
    if (this.cursor.isKnown && !this.padUsed) return { x: this.cursor.x, y: this.cursor.y }
    return { x: this.canvas.width / 2, y: this.canvas.height / 2 }
  }

  private keyDown(event: KeyboardEvent): void {
    this.ctrl = event.ctrlKey
    if (event.altKey || event.metaKey) return
    const { code } = event
    if (event.ctrlKey && !(code in heldKeys)) return
    const action = pageKeys[code]
    const isKnown = action !== undefined || code in heldKeys || code in commandKeys || code in clickKeys || code in turnKeys || code in zoomKeys
    if (!isKnown) return
    event.preventDefault()
    this.padUsed = false
    if (event.repeat) return
    this.held.add(code)
    this.tapped.add(code)
    if (action) this.act(action)
    const command = commandKeys[code]
    if (command) this.queued.push(code === 'Period' && event.shiftKey ? commands.stepFive : commands[command])
    const click = clickKeys[code]
    if (click) this.clicks.push({ kind: click === 'push' && event.shiftKey ? 'shoot' : click, ...this.aim() })
  }

  private pointerDown(event: PointerEvent): void {
    this.canvas.focus({ preventScroll: true })
    this.canvas.setPointerCapture(event.pointerId)
    const [x, y] = this.place(event)
    this.padUsed = false
    if (event.pointerType === 'touch') {
      this.touches.set(event.pointerId, { x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY, startMs: event.timeStamp, hasMoved: false })
      this.cursor = { x, y, isKnown: true }
      return
    }
    this.cursor = { x, y, isKnown: true }
    const isTurn = event.button === 2 || (event.button === 0 && event.altKey)
    const mode = isTurn ? 'turn' : event.button === 1 ? 'pan' : event.ctrlKey || event.metaKey ? 'drag' : 'click'
    if (event.button === 1) event.preventDefault()
    if (mode === 'drag') this.dragStart = { x, y }
    this.press = { button: event.button, x: event.clientX, y: event.clientY, hasMoved: false, isShift: event.shiftKey, mode }
  }

  private pointerMove(event: PointerEvent): void {
    const [x, y] = this.place(event)
    this.ctrl = event.ctrlKey || event.metaKey
    if (event.pointerType === 'touch') return this.touchMove(event)
    this.cursor = { x, y, isKnown: true }
    this.padUsed = false
    if (!this.press) return
    const dx = event.clientX - this.press.x
    const dy = event.clientY - this.press.y
    if (this.press.mode === 'click' && !this.press.hasMoved && Math.hypot(dx, dy) < clickMove) return
    this.press.hasMoved = true
    if (this.press.mode === 'drag') return
    this.press.x = event.clientX
    this.press.y = event.clientY
    if (this.press.mode === 'pan') this.pan(dx, dy)
    else this.turn(dx, dy)
  }

  private turn(dx: number, dy: number): void {
    this.axes.turnX += dx * this.turnSpeed
    this.axes.turnY += dy * this.turnSpeed * (this.isTurnInverted ? -1 : 1)
  }
  private pan(dx: number, dy: number): void {
    const scale = this.canvas.width / Math.max(this.canvas.clientWidth, 1)
    this.axes.panX += dx * scale
    this.axes.panY += dy * scale
  }

  private pointerUp(event: PointerEvent, isCancelled = false): void {
    const [x, y] = this.place(event)
    const touch = this.touches.get(event.pointerId)
    if (touch) {
      this.touches.delete(event.pointerId)
      if (touch.hasMoved || isCancelled) return
      if (event.timeStamp - touch.startMs >= longPressMs) this.select(x, y)
      else this.clicks.push({ kind: 'push', x, y })
      return
    }
    const press = this.press
    this.press = null
    if (!press || press.hasMoved || isCancelled || press.mode !== 'click' || press.button !== 0) return
    this.clicks.push({ kind: press.isShift ? 'shoot' : 'push', x, y })
  }

  private touchMove(event: PointerEvent): void {
    const touch = this.touches.get(event.pointerId)
    if (!touch) return
    const before = [...this.touches.values()].map(({ x, y }) => ({ x, y }))
    const dx = event.clientX - touch.x
    const dy = event.clientY - touch.y
    if (Math.hypot(event.clientX - touch.startX, event.clientY - touch.startY) > clickMove * 2) touch.hasMoved = true
    touch.x = event.clientX
    touch.y = event.clientY
    if (this.touches.size === 1) {
      if (touch.hasMoved) this.turn(dx, dy)
      return
    }
    for (const each of this.touches.values()) each.hasMoved = true
    const after = [...this.touches.values()]
    const spread = (points: { x: number; y: number }[]): number =>
      Math.hypot((points[0]?.x ?? 0) - (points[1]?.x ?? 0), (points[0]?.y ?? 0) - (points[1]?.y ?? 0))
    const growth = spread(after) / Math.max(spread(before), 1)
    this.axes.zoom += Math.log(Math.max(growth, 0.01)) / Math.log(1 / 0.9)
    this.pan(dx / 2, dy / 2)
  }

  private releaseAll(): void {
    this.held.clear()
    this.press = null
    this.touches.clear()
    this.ctrl = false
  }

  private gamepad(axes: Record<AxisName, number>): void {
    const pad = navigator.getGamepads().find((each) => each !== null && each.connected)
    if (!pad) return
    const axis = (index: number): number => {
      const value = pad.axes[index] ?? 0
      return Math.abs(value) < deadZone ? 0 : value
    }
    const isDown = (index: number): boolean => pad.buttons[index]?.pressed ?? false
    const isNew = (index: number): boolean => isDown(index) && !this.padButtons[index]
    const isUsed = pad.buttons.some((button) => button.pressed) || pad.axes.some((value) => Math.abs(value) > deadZone)
    if (isUsed) this.padUsed = true
    axes.right += axis(0)
    axes.forward -= axis(1)
    axes.lookX += axis(2)
    axes.lookY += axis(3)
    if (isDown(0)) axes.jump = 1
    const middle = { x: this.canvas.width / 2, y: this.canvas.height / 2 }
    if (isNew(2)) this.clicks.push({ kind: 'push', ...middle })
    if (isNew(7)) this.clicks.push({ kind: 'shoot', ...middle })
    if (isNew(3)) this.clicks.push({ kind: 'spawn', ...middle })
    if (isNew(1)) this.clicks.push({ kind: 'blast', ...middle })
    if (isDown(6)) axes.dragging = 1
    if (isDown(4)) axes.pull = 1
    if (isDown(5)) axes.repel = 1
    if (isDown(12)) axes.zoomRate += 1
    if (isDown(13)) axes.zoomRate -= 1
    if (isNew(8)) this.act('scenes')
    if (isNew(9)) this.act('settings')
    if (isNew(11)) this.queued.push(commands.follow)
    this.padButtons = pad.buttons.map((button) => button.pressed)
  }

  /** Writes the input since the last call to the module. */
  apply(module: Module): void {
    const axes = this.axes
    const isOn = (code: string): boolean => this.held.has(code) || this.tapped.has(code)
    for (const [code, name] of Object.entries(heldKeys)) {
      if (!isOn(code)) continue
      if (name === 'left') axes.right -= 1
      else if (name === 'back') axes.forward -= 1
      else if (name === 'right' || name === 'forward') axes[name] += 1
      else axes[name] = 1
    }
    if (isOn('Space')) axes.up = 1
    if (isOn('ShiftLeft') || isOn('ControlLeft')) axes.down = 1
    for (const [code, [x, y]] of Object.entries(turnKeys)) if (isOn(code)) { axes.lookX += x * 0.5; axes.lookY += y * 0.5 }
    for (const [code, rate] of Object.entries(zoomKeys)) if (isOn(code)) axes.zoomRate += rate
    axes.right += this.stick.x
    axes.forward += this.stick.y
    if (this.stick.isJump) axes.jump = 1
    this.gamepad(axes)
    if (this.press?.mode === 'drag' || this.dragStart) axes.dragging = 1
    if (this.ctrl || axes.dragging || this.padUsed) axes.aimingDrag = 1
    const aim = this.dragStart ?? this.aim()
    this.dragStart = null
    axes.cursorX = aim.x
    axes.cursorY = aim.y
    axes.byGamepad = this.padUsed ? 1 : 0
    const out = module.floats(module.exports.input_axes(), axisNames.length)
    axisNames.forEach((name, index) => { out[index] = axes[name] })
    for (const click of this.clicks) module.exports.input_click(clickKinds[click.kind], click.x, click.y)
    for (const command of this.queued) module.exports.input_command(command)
    this.clicks = []
    this.queued = []
    this.tapped.clear()
    this.axes = zeroAxes()
  }
}

function zeroAxes(): Record<AxisName, number> {
  return Object.fromEntries(axisNames.map((name) => [name, 0])) as Record<AxisName, number>
}
