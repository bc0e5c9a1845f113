// The time line of a recording: play, scrub, step, speed, and where two recordings differ.
import { button, byId, element, setText } from './dom'
import type { Module } from './module'
import type { ReplayStatus } from './status'

export class ReplayPanel {
  private readonly root = byId('replay')
  private readonly play = button('Play', () => this.call((module) => module.exports.replay_toggle()))
  private readonly place = element('span', { class: 'grow' })
  private readonly proof = element('span')
  private readonly slider = element('input', { type: 'range', min: '0', max: '1', step: '1', 'aria-label': 'Tick' })
  private readonly marks = element('canvas', { width: '860', height: '8', role: 'img', 'aria-label': 'Differences' })
  private readonly rate = element('span', { class: 'dim' })
  private readonly difference = button('First difference', () => {
    this.call((module) => { if (module.exports.replay_seek_difference() === 0) this.say('no difference is known') })
  })
  private isDragged = false
  private marksKey = ''

  constructor(private readonly module: () => Module | null, private readonly say: (text: string) => void,
    compare: () => void, leave: () => void) {
    const step = (ticks: number, text: string, name: string): HTMLButtonElement =>
      button(text, () => this.call((module) => module.exports.replay_step(ticks)), { 'aria-label': name, title: name })
    const speed = (steps: number, text: string, name: string): HTMLButtonElement =>
      button(text, () => this.call((module) => module.exports.replay_change_rate(steps)), { 'aria-label': name, title: name })
    this.slider.addEventListener('input', () => {
      this.isDragged = true
      this.call((module) => module.exports.replay_seek(Number(this.slider.value)))
    })
    this.slider.addEventListener('change', () => { this.isDragged = false })
    this.root.append(
      element('div', { class: 'line' }, this.play, step(-60, '−60', 'Back 60 ticks'), step(-1, '−1', 'Back one tick'),
        step(1, '+1', 'Forward one tick'), step(60, '+60', 'Forward 60 ticks'), speed(-1, 'Slower', 'Slower'), this.rate,
        speed(1, 'Faster', 'Faster'), this.place, this.difference, button('Compare…', compare), button('Close', leave)),
      this.slider, this.marks, element('div', { class: 'line' }, this.proof))
  }

  private call(use: (module: Module) => void): void {
    const module = this.module()
    if (module) use(module)
  }

  show(isShown: boolean): void { this.root.hidden = !isShown }

  update(status: ReplayStatus): void {
    setText(this.play, status.playing ? 'Pause' : 'Play')
    const seconds = (status.tick - status.first) / status.hz
    setText(this.place, `${status.scene}, tick ${status.tick} of ${status.last}, ${seconds.toFixed(2)} s${status.there ? '' : ` → ${status.wanted}`}`)
    setText(this.rate, `${status.rate < 0.1 ? '1/60' : status.rate}×`)
    this.slider.min = String(status.first)
    this.slider.max = String(status.last)
    if (!this.isDragged) this.slider.value = String(status.wanted)
    this.difference.hidden = !status.compared && status.diverged.length === 0
    setText(this.proof, status.cut === '' ? this.words(status) : `${this.words(status)}; ${status.cut}`)
    this.draw(status)
  }

  private words(status: ReplayStatus): string {
    const own = status.matches === null ? 'first state' : status.matches
      ? 'this tick has the recorded hash' : 'THIS TICK DIFFERS FROM THE RECORDED HASH'
    if (!status.compared) return own
    const { difference } = status
    if (!status.differs) return `${own}; both recordings are equal at this tick`
    const where = difference && difference.farthest !== 0
      ? `; body ${difference.farthest} is farthest apart, by ${difference.distance.toPrecision(3)} m` : ''
    return `${own}; the recordings differ at this tick${where}`
  }

  private draw(status: ReplayStatus): void {
    const key = JSON.stringify([status.differing, status.diverged, status.faults])
    if (key === this.marksKey) return
    this.marksKey = key
    const context = this.marks.getContext('2d')
    if (!context) return
    const { width, height } = this.marks
    const length = Math.max(status.last - status.first, 1)
    const at = (tick: number): number => (tick - status.first) / length * width
    context.clearRect(0, 0, width, height)
    const band = (ranges: readonly [number, number][], colour: string): void => {
      context.fillStyle = colour
      for (const [first, last] of ranges) context.fillRect(at(first), 0, Math.max(2, at(last) - at(first)), height)
    }
    band(status.differing, '#d9822b')
    band(status.diverged, '#c23030')
    band(status.faults.map((tick) => [tick, tick]), '#8f398f')
  }
}
