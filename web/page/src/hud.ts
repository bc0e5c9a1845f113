// The figures at the upper left, the values of the game, name tags and messages.
import { byId, element, setRows, setText } from './dom'
import type { Frame } from './frame'
import { bytesText, clientStates, type Label, labelText, type ReplayStatus, type Status } from './status'

const noticeMs = 5000
const noticeMsPerLetter = 60  // long texts stay longer

export interface Figures { framesPerSecond: number; scriptMs: number; drawCalls: number; cameraMode: string }

export class Hud {
  private readonly figures = byId('figures')
  private readonly labels = byId('labels')
  private readonly tags = byId('tags')
  private readonly notice = byId('notice')
  private readonly message = byId('message')
  private readonly proof = byId('proof')
  private noticeEnd = 0
  private readonly names = new Map<number, string>()

  constructor(private readonly nameOf: (body: number) => string) {}

  /** Shows a text for a few seconds, which screen readers read. */
  say(text: string): void {
    setText(this.notice, text)
    this.noticeEnd = performance.now() + Math.max(noticeMs, text.length * noticeMsPerLetter)
  }
  /** Shows a message in the middle until it is replaced by null. */
  showMessage(...content: (Node | string)[]): void {
    const paragraphs = content.map((part) => typeof part === 'string' ? element('p', {}, part) : part)
    const isSame = this.message.textContent === paragraphs.map((part) => part.textContent).join('') && !this.message.hidden
    if (!isSame) this.message.replaceChildren(...paragraphs)
    this.message.hidden = content.length === 0
  }

  /** Moves the name tags. Call it once per frame. */
  moveTags(frame: Frame | null, scale: number, areShown: boolean): void {
    if (performance.now() > this.noticeEnd && this.notice.textContent !== '') setText(this.notice, '')
    const tags = areShown && frame ? frame.tags : []
    while (this.tags.children.length > tags.length) this.tags.lastElementChild?.remove()
    tags.forEach((tag, index) => {
      let node = this.tags.children[index] as HTMLElement | undefined
      if (!node) {
        node = element('span')
        this.tags.append(node)
      }
      let name = this.names.get(tag.body)
      if (name === undefined) this.names.set(tag.body, name = this.nameOf(tag.body))
      setText(node, name)
      node.classList.toggle('own', tag.isOwn)
      const x = Math.min(Math.max(tag.x * scale, 40), innerWidth - 40)
      const y = Math.min(Math.max(tag.y * scale, 22), innerHeight - 8)
      node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -100%)`
    })
  }
  forgetNames(): void { this.names.clear() }

  update(status: Status | null, frame: Frame | null, figures: Figures, isLocal: boolean): void {
    const name = status ? clientStates[status.state] ?? '' : 'loading'
    setText(byId('scene-name'), status?.scene || 'jostle')
    const state = status?.reconnecting ? 'reconnecting' : status?.paused && name === 'playing' ? 'paused'
      : name === 'playing' && status?.player === 0 ? 'watching' : name
    const node = byId('state')
    setText(node, state)
    node.classList.toggle('bad', name === 'failed' || status?.reconnecting === true)
    if (!status || !frame) return setRows(this.figures, [])
    const { metrics } = status
    const rows: [string, string][] = [
      ['tick', String(Math.max(0, Math.floor(status.shown_tick)))],
      ['bodies', `${frame.bodies}, ${frame.awake} awake`],
    ]
    if (frame.particles > 0) rows.push(['particles', String(frame.particles)])
    if (!isLocal) rows.push(['round trip', `${metrics.rtt_ms.toFixed(1)} ms`], ['loss', `${(metrics.loss * 100).toFixed(1)} %`])
    rows.push(['down, up', `${bytesText(metrics.bytes_down)}/s, ${bytesText(metrics.bytes_up)}/s`])
    rows.push(['interp. delay', `${metrics.delay_ms.toFixed(0)} ms`])
    if (status.player !== 0) rows.push(['input latency', `${metrics.latency_ms.toFixed(0)} ms`])
    rows.push(['frame rate', `${figures.framesPerSecond.toFixed(0)} fps, ${figures.cameraMode}`])
    rows.push(['script, draws', `${figures.scriptMs.toFixed(1)} ms, ${figures.drawCalls}`])
    if (status.rate_percent !== 100) rows.push(['speed', `${status.rate_percent} %`])
    if (status.gravity_off) rows.push(['gravity', 'off'])
    if (metrics.trouble) rows.unshift(['trouble', metrics.trouble])
    setRows(this.figures, rows)
    this.showProof(status)
    this.showLabels(status.labels)
  }

  private showProof(status: Status): void {
    const { lockstep, prediction } = status
    const isShown = lockstep.running || lockstep.text !== '' || prediction.running || prediction.text !== ''
    this.proof.hidden = !isShown
    this.proof.className = lockstep.desynced ? 'bad' : lockstep.running || prediction.running ? 'good' : ''
    if (lockstep.desynced) setText(this.proof, `✗ not the same: ${lockstep.text}`)
    else if (lockstep.running) setText(this.proof, `✓ the same bits as the server, ${lockstep.hashes} hashes compared`)
    else if (lockstep.text !== '') setText(this.proof, `lockstep: ${lockstep.text}`)
    else if (prediction.running) setText(this.proof, `prediction: ${prediction.ticks_ahead.toFixed(0)} ticks ahead, error ${(prediction.error_m * 1000).toFixed(1)} mm`)
    else setText(this.proof, `prediction: ${prediction.text}`)
  }

  showLabels(labels: readonly Label[]): void {
    this.labels.hidden = labels.length === 0
    const body = this.labels.querySelector('tbody')
    if (body) setRows(body, labels.map((label) => [label.name, labelText(label)]))
  }

  updateReplay(status: ReplayStatus, frame: Frame | null, figures: Figures): void {
    setText(byId('scene-name'), status.scene)
    const node = byId('state')
    setText(node, status.playing ? 'replaying' : 'paused')
    node.classList.remove('bad')
    this.proof.hidden = true
    setRows(this.figures, [
      ['tick', String(status.tick)],
      ['bodies', frame ? `${frame.bodies}, ${frame.awake} awake` : ''],
      ['frame rate', `${figures.framesPerSecond.toFixed(0)} fps, ${figures.cameraMode}`],
      ['script, draws', `${figures.scriptMs.toFixed(1)} ms, ${figures.drawCalls}`],
      ['recorded by', status.program],
    ])
    this.showLabels(status.labels)
  }
}
