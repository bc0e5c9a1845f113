// The panels at the right: scenes, bodies, draw modes, net graph, statistics; and the dialogs.
import { button, element, setRows, setText } from './dom'
import type { Body, Report, Status } from './status'
import { bytesText } from './status'

export interface Scene { name: string; description: string; picture?: string }

/** A panel that a button or key opens and closes. */
export class Panel {
  readonly root: HTMLElement
  readonly body = element('div')
  constructor(title: string, private readonly onChange: () => void) {
    const head = element('div', { class: 'head' }, element('h2', {}, title))
    head.append(button('×', () => this.toggle(false), { class: 'close', 'aria-label': `Close ${title}` }))
    this.root = element('section', { class: 'panel', 'aria-label': title }, head, this.body)
    this.root.hidden = true
    this.root.addEventListener('keydown', (event) => { if (event.key === 'Escape') { event.stopPropagation(); this.toggle(false) } })
  }
  get isOpen(): boolean { return !this.root.hidden }
  toggle(isOpen = !this.isOpen): void {
    if (isOpen === this.isOpen) return
    this.root.hidden = !isOpen
    if (isOpen) document.getElementById('side')?.append(this.root)
    else this.root.remove()
    this.onChange()
  }
}

export class BodiesPanel extends Panel {
  private readonly filter = element('input', { type: 'search', placeholder: 'Find a body', 'aria-label': 'Find a body' })
  private readonly list = element('ul', { class: 'list' })
  private readonly figures = element('tbody')
  private readonly actions = element('div', { class: 'actions' })
  private last: { position: [number, number, number]; seconds: number } | null = null
  private shownKey = ''

  constructor(onChange: () => void, private readonly select: (body: number) => void, follow: () => void) {
    super('Bodies', onChange)
    this.filter.style.width = '100%'
    this.actions.append(button('Follow', follow), button('Deselect', () => select(0)))
    this.body.append(element('table', {}, this.figures), this.actions, this.filter, this.list)
  }

  /** Shows the list of bodies, sorted by name, and the selected one. */
  update(bodies: [number, string, number, boolean, number, number, number][], selected: number): void {
    const wanted = this.filter.value.toLowerCase()
    const shown = bodies.filter(([id, name]) => `${name} ${id}`.toLowerCase().includes(wanted)).slice(0, 200)
    const key = `${selected}|${shown.map(([id, name]) => `${id}${name}`).join()}`
    if (key === this.shownKey) return
    this.shownKey = key
    this.list.replaceChildren(...shown.map(([id, name]) => {
      const choose = button(`${name || 'body'} (${id})`, () => this.select(id))
      if (id === selected) choose.setAttribute('aria-current', 'true')
      return element('li', {}, choose)
    }))
  }

  /** Shows the selected body. The velocity is measured from the displayed motion. */
  updateBody(body: Body | null, report: Report | undefined, seconds: number): void {
    this.actions.hidden = body === null
    if (!body) {
      this.last = null
      return setRows(this.figures, [['selected', 'none: double click a body, press it long, or choose it in the list']])
    }
    const [x, y, z] = body.position
    const before = this.last
    const elapsed = before ? seconds - before.seconds : 0
    const speed = before && elapsed > 0
      ? Math.hypot(x - before.position[0], y - before.position[1], z - before.position[2]) / elapsed : 0
    this.last = { position: body.position, seconds }
    const kinds = ['static', 'kinematic', 'dynamic']
    setRows(this.figures, [
      ['body', `${body.name || 'body'} (${body.id})`],
      ['motion', `${kinds[body.motion] ?? ''}${body.motion === 2 ? body.awake ? ', awake' : ', asleep' : ''}`],
      ['position', `${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)} m`],
      ['rotation', body.rotation.map((value) => value.toFixed(2)).join(', ')],
      ['speed', `${speed.toFixed(2)} m/s`],
      ['shapes', String(body.shapes)],
      ...(report && report.body === body.id ? [
        ['mass', report.mass > 0 ? `${report.mass.toPrecision(4)} kg` : 'not movable'],
        ['contacts', String(report.contacts)],
        ['island', `${report.island} bodies`],
      ] as const : []),
    ])
  }
}

export const looks = ['solid', 'edges', 'wireframe', 'xray'] as const
export const layerNames = ['bounding boxes', 'contacts', 'impulses', 'joints', 'centres of mass', 'velocities', 'islands'] as const

/** Draw modes and overlays. */
export class DrawPanel extends Panel {
  look = 0
  layers = 0
  areGhostsShown = false
  private readonly lookChoice = element('select', { 'aria-label': 'Draw mode' })
  private readonly boxes: HTMLInputElement[] = []
  private readonly ghosts = element('input', { type: 'checkbox' })

  constructor(onChange: () => void, private readonly onChoice: () => void) {
    super('Draw', onChange)
    looks.forEach((name, index) => this.lookChoice.append(element('option', { value: String(index) }, name)))
    this.lookChoice.addEventListener('change', () => { this.look = Number(this.lookChoice.value); onChoice() })
    const choices = element('div', { class: 'choices' }, element('label', {}, 'Bodies', this.lookChoice))
    layerNames.forEach((name, index) => {
      const box = element('input', { type: 'checkbox' })
      box.addEventListener('change', () => { this.layers = this.layers & ~(1 << index) | (box.checked ? 1 << index : 0); onChoice() })
      this.boxes.push(box)
      choices.append(element('label', {}, box, name))
    })
    this.ghosts.addEventListener('change', () => { this.areGhostsShown = this.ghosts.checked; onChoice() })
    choices.append(element('label', {}, this.ghosts, 'ghosts of the newest snapshot'))
    this.body.append(choices)
  }
  nextLook(): string {
    this.look = (this.look + 1) % looks.length
    this.refresh()
    return looks[this.look] ?? ''
  }
  toggleGhosts(): boolean {
    this.areGhostsShown = !this.areGhostsShown
    this.refresh()
    return this.areGhostsShown
  }
  private refresh(): void {
    this.lookChoice.value = String(this.look)
    this.ghosts.checked = this.areGhostsShown
    this.boxes.forEach((box, index) => { box.checked = (this.layers & (1 << index)) !== 0 })
    this.onChoice()
  }
}

const samples = 120

/** Graphs of the connection over the last half minute. */
export class NetPanel extends Panel {
  private readonly series = new Map<string, { values: number[]; canvas: HTMLCanvasElement; caption: HTMLElement; format: (value: number) => string }>()
  constructor(onChange: () => void) {
    super('Net graph', onChange)
    const add = (name: string, format: (value: number) => string): void => {
      const canvas = element('canvas', { class: 'graph', width: '320', height: '54', role: 'img', 'aria-label': name })
      const caption = element('div', { class: 'dim' })
      this.series.set(name, { values: [], canvas, caption, format })
      this.body.append(caption, canvas)
    }
    add('received', (value) => `${bytesText(value)}/s`)
    add('sent', (value) => `${bytesText(value)}/s`)
    add('round trip', (value) => `${value.toFixed(1)} ms`)
    add('snapshot age', (value) => `${value.toFixed(1)} ms`)
    add('lost', (value) => `${(value * 100).toFixed(1)} %`)
  }
  add(status: Status): void {
    const { metrics } = status
    const values = { received: metrics.bytes_down, sent: metrics.bytes_up, 'round trip': metrics.rtt_ms, 'snapshot age': metrics.age_ms, lost: metrics.loss }
    for (const [name, value] of Object.entries(values)) {
      const series = this.series.get(name)
      if (!series) continue
      series.values.push(value)
      if (series.values.length > samples) series.values.shift()
      if (this.isOpen) this.draw(name)
    }
  }
  private draw(name: string): void {
    const series = this.series.get(name)
    const context = series?.canvas.getContext('2d')
    if (!series || !context) return
    const { width, height } = series.canvas
    const most = Math.max(...series.values, 1e-9)
    setText(series.caption, `${name}: ${series.format(series.values.at(-1) ?? 0)}, most ${series.format(most)}`)
    context.clearRect(0, 0, width, height)
    context.beginPath()
    series.values.forEach((value, index) =>
      context.lineTo(index / (samples - 1) * width, height - 2 - value / most * (height - 6)))
    context.strokeStyle = getComputedStyle(this.root).getPropertyValue('--accent')
    context.lineWidth = 2
    context.stroke()
  }
}

export class StatisticsPanel extends Panel {
  private readonly rows = element('tbody')
  constructor(onChange: () => void) {
    super('Server statistics', onChange)
    this.body.append(element('table', {}, this.rows))
  }
  update(status: Status | null): void {
    const statistics = status?.statistics
    if (!statistics) return setRows(this.rows, [['', 'the server has sent none yet']])
    const ms = (value: number): string => `${value.toFixed(2)} ms`
    const stages = Object.entries(statistics.stages).sort(([, a], [, b]) => b - a).filter(([, value]) => value > 0).slice(0, 6)
    setRows(this.rows, [
      ['tick', `${ms(statistics.tick_ms)}, longest ${ms(statistics.longest_tick_ms)}`],
      ...Object.entries(statistics.phases).map(([name, value]) => [name, ms(value)] as const),
      ...stages.map(([name, value]) => [`  ${name.replace(/_/g, ' ')}`, ms(value)] as const),
      ...Object.entries(statistics.counts).map(([name, value]) => [name, String(value)] as const),
      ['sent', `${bytesText(statistics.bytes_per_second)}/s`],
    ])
  }
}

/** Opens a dialog with a title and a button to close it. Returns it. */
export function openDialog(title: string, content: Node, isWide = false): HTMLDialogElement {
  document.querySelector('dialog')?.remove()
  const dialog = element('dialog', isWide ? { class: 'wide', 'aria-label': title } : { 'aria-label': title })
  const head = element('div', { class: 'head' }, element('h2', {}, title))
  head.append(button('Close', () => dialog.close()))
  dialog.append(head, content)
  document.body.append(dialog)
  dialog.addEventListener('close', () => { dialog.remove(); document.getElementById('view')?.focus({ preventScroll: true }) })
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close() })
  dialog.showModal()
  return dialog
}

export function sceneList(scenes: readonly Scene[], current: string, choose: (name: string) => void): HTMLElement {
  return element('div', { class: 'scenes' }, ...scenes.map((scene) => {
    const tile = button('', () => choose(scene.name))
    if (scene.picture) tile.append(element('img', { src: scene.picture, alt: '', loading: 'lazy' }))
    tile.append(element('strong', {}, scene.name), element('span', {}, scene.description))
    if (scene.name === current) tile.setAttribute('aria-current', 'true')
    return tile
  }))
}

const helpRows: [string, string][] = [
  ['W A S D, Space', 'move your ball, figure or car; jump or brake'],
  ['click, Enter', 'push the body under the cursor'],
  ['Ctrl + drag', 'drag the body under the cursor'],
  ['Shift + click', 'shoot a ball'],
  ['T, X', 'spawn a crate, trigger a blast'],
  ['E, Q', 'attract or repel nearby bodies, in scenes that allow it'],
  ['drag, arrow keys', 'turn the camera'],
  ['wheel, Page Up, Page Down', 'zoom'],
  ['middle drag', 'move the camera'],
  ['F, C', 'camera that follows you or the selected body; free camera'],
  ['double click, I', 'select the body under the cursor'],
  ['O', 'list of bodies'],
  ['P, .', 'pause, one step *'],
  ['-, =', 'slower, faster *'],
  ['R, G', 'restart the scene, gravity *'],
  ['L, [, ]', 'list of scenes, previous, next *'],
  ['V, B, K', 'draw modes, overlays, ghosts'],
  ['N, M', 'net graph, server statistics'],
  ['U, F10, F11', 'hide the figures, settings, full screen'],
  ['touch', 'drag: turn; two fingers: zoom and move; tap: push; long press: select'],
  ['gamepad', 'sticks: move, look; A: jump; X: push; RT: shoot; LT: drag; Y: spawn; B: blast'],
]

export function helpContent(note: string): HTMLElement {
  const rows = helpRows.map(([keys, text]) => element('tr', {},
    element('th', { scope: 'row' }, ...keys.split(/(, | \+ | )/).map((part) =>
      /^(, | \+ | )$/.test(part) || part.length > 9 ? part : element('kbd', {}, part))), element('td', {}, text)))
  return element('div', {}, element('div', { class: 'keys' }, element('table', {}, element('tbody', {}, ...rows))),
    element('p', { class: 'dim' }, note))
}
