// The stick and the jump button for touch screens.
import { byId } from './dom'
import type { Input } from './input'

const radius = 46  // CSS pixels

export class TouchStick {
  private readonly root = byId('touch')
  constructor(input: Input) {
    const stick = byId('stick')
    const knob = stick.querySelector('span')
    const move = (event: PointerEvent): void => {
      const box = stick.getBoundingClientRect()
      let x = (event.clientX - box.left - box.width / 2) / radius
      let y = (event.clientY - box.top - box.height / 2) / radius
      const length = Math.max(1, Math.hypot(x, y))
      x /= length
      y /= length
      input.stick.x = x
      input.stick.y = -y
      if (knob) knob.style.transform = `translate(${x * radius}px, ${y * radius}px)`
    }
    const end = (): void => {
      input.stick.x = input.stick.y = 0
      if (knob) knob.style.transform = ''
    }
    stick.addEventListener('pointerdown', (event) => { stick.setPointerCapture(event.pointerId); move(event) })
    stick.addEventListener('pointermove', (event) => { if (stick.hasPointerCapture(event.pointerId)) move(event) })
    stick.addEventListener('pointerup', end)
    stick.addEventListener('pointercancel', end)
    const jump = byId('jump')
    jump.addEventListener('pointerdown', () => { input.stick.isJump = true })
    for (const name of ['pointerup', 'pointercancel', 'pointerleave'] as const)
      jump.addEventListener(name, () => { input.stick.isJump = false })
  }
  show(mode: 'auto' | 'on' | 'off'): void {
    this.root.hidden = mode === 'off' || (mode === 'auto' && !matchMedia('(pointer: coarse)').matches)
  }
}
