// Lowers the quality of the picture while frames take too long.
import type { Settings } from './settings'

interface Level { shadows: Settings['shadows']; shadowSize: number; scale: number }

/** Each level takes clearly less time than the one before it. Changes of the shadows compile shaders. */
const levels: readonly Level[] = [
  { shadows: 'soft', shadowSize: 2048, scale: 1 },
  { shadows: 'hard', shadowSize: 1024, scale: 0.7 },
  { shadows: 'off', shadowSize: 0, scale: 0.5 },
  { shadows: 'off', shadowSize: 0, scale: 0.36 },
]
const softwareLevel = 2  // at first, where the processor draws
const slowRate = 20      // frames per second
const intervalMs = 2000
const calmMs = 1000      // the first frames are slow everywhere

export class AdaptiveQuality {
  private level = 0
  private frames = 0
  private sinceMs = 0  // begin of the count; 0: not begun

  constructor(private readonly settings: Settings, isSoftware: boolean) {
    if (isSoftware) this.level = softwareLevel
  }

  private get current(): Level { return (this.settings.isAdaptive ? levels[this.level] : levels[0]) as Level }
  get scale(): number { return this.settings.scale * this.current.scale }
  get shadowSize(): number { return this.current.shadowSize }
  /** Returns the shadows of the settings, or less. */
  get shadows(): Settings['shadows'] {
    const order = ['off', 'hard', 'soft'] as const
    const most = Math.min(order.indexOf(this.settings.shadows), order.indexOf(this.current.shadows))
    return order[most] ?? 'off'
  }

  /** Begins to count anew, because no frames were drawn for a while. */
  restart(): void { this.sinceMs = 0 }

  /** Counts a frame. Returns true if the quality must be lower from now on. */
  noteFrame(now: number): boolean {
    if (this.sinceMs === 0) {
      this.sinceMs = now + calmMs
      this.frames = 0
    }
    const passedMs = now - this.sinceMs
    if (passedMs > 0) ++this.frames
    if (passedMs < intervalMs) return false
    const isSlow = this.frames < slowRate * passedMs / 1000
    this.sinceMs = now
    this.frames = 0
    if (!isSlow || this.level === levels.length - 1 || !this.settings.isAdaptive) return false
    ++this.level
    this.restart()
    return true
  }
}
