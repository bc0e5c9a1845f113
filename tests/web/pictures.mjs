// Places of coloured balls in pictures: the same tick in jostle-view and in the page.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Colours with one or two full channels, which stay recognisable in light and shadow. */
const colours = { red: '#ff0000', green: '#00ff00', blue: '#0000ff', yellow: '#ffff00', magenta: '#ff00ff', cyan: '#00ffff' }

/** Eye and target of the camera. */
export const camera = [0, 8, 22, 0, 3, 0]

/** Text of a small scene, as a user might drop it on the page. */
export const ownScene = JSON.stringify({
  name: 'own', spawns: [{ position: [0, 1, 0] }],
  bodies: [{ name: 'ground', motion_type: 'static', shape: { plane: {} } }, { shape: { sphere: { radius: 0.5 } }, position: [0, 3, 0] }],
})

/** Writes a scene with balls of the six colours that fly and bounce. Returns its file. */
export function ballsScene(folder) {
  const file = join(folder, 'six_balls.scene.json')
  writeFileSync(file, JSON.stringify({
    name: 'six_balls', camera: { eye: camera.slice(0, 3), target: camera.slice(3) },
    bodies: [
      { name: 'ground', motion_type: 'static', shape: { plane: {} }, position: [0, 0, 0], colour: '#808080' },
      ...Object.entries(colours).map(([name, colour], index) => ({
        name, colour, shape: { sphere: { radius: 0.35 } }, position: [index * 1.5 - 3.75, 3 + (index % 3), (index % 2) * 2 - 1],
        linear_velocity: [(index % 3) - 1, 2, 0.5 * index - 1],
      })),
    ],
    spawns: [{ position: [40, 1, 40] }],
  }))
  return file
}

/** Draws a tick of a recording with jostle-view into a PNG file. */
export function drawNatively(program, recording, tick, { width, height }, file) {
  execFileSync(program, [recording, '--offscreen', '--no-settings', '--no-hud', '--at-tick', String(tick), '--frames', '3',
    '--size', `${width}x${height}`, '--screenshot', file], { stdio: 'pipe', env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1' } })
}

/** Returns the centre of the pixels of each ball in a PNG file, by the ball's name. A page decodes the file. */
export function ballsIn(page, file) {
  return page.evaluate(async ([text, names]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(picture.width, picture.height)
    const context = canvas.getContext('2d')
    context.drawImage(picture, 0, 0)
    const { data } = context.getImageData(0, 0, picture.width, picture.height)
    const sums = {}
    for (let at = 0; at < data.length; at += 4) {
      const most = Math.max(data[at], data[at + 1], data[at + 2])
      const channels = [0, 1, 2].map((channel) => data[at + channel] > 0.6 * most)
      const least = Math.min(data[at], data[at + 1], data[at + 2])
      if (most < 60 || least > 0.45 * most) continue
      const name = names[channels.reduce((code, isOn, channel) => code | (isOn ? 1 << channel : 0), 0)]
      if (!name) continue
      const sum = sums[name] ??= { x: 0, y: 0, count: 0 }
      sum.x += (at / 4) % picture.width + 0.5
      sum.y += Math.floor(at / 4 / picture.width) + 0.5
      ++sum.count
    }
    return Object.fromEntries(Object.entries(sums).map(([name, { x, y, count }]) => [name, { x: x / count, y: y / count, count }]))
  }, [readFileSync(file).toString('base64'), { 1: 'red', 2: 'green', 3: 'yellow', 4: 'blue', 5: 'magenta', 6: 'cyan' }])
}
