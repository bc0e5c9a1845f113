// node measure.mjs PAGE_FOLDER [BODIES]: draw calls and script time per frame of the page with many moving bodies, first
// as drawn in software, then with empty functions in place of WebGL's draw calls: the time of the script alone. JOSTLE_BIN
// names the folder of jostled and jostle-gate.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openPage, source, startBrowser, sleep, until, waitForWorld } from './browser.mjs'

const [folder, bodies = '2000'] = process.argv.slice(2)
const programs = process.env.JOSTLE_BIN ?? join(source, 'build/release/bin')
const temporary = mkdtempSync(join(tmpdir(), 'jostle-measure-'))
const count = Math.round(Math.cbrt(Number(bodies) / 4))
const each = Math.ceil(Number(bodies) / 4 / (count * count))
// Bodies of four shapes without gravity and friction, which never come to rest.
const shapes = [{ sphere: { radius: 0.3 } }, { box: { size: [0.5, 0.5, 0.5] } }, { capsule: { radius: 0.2, half_segment: 0.2 } },
  { cylinder: { radius: 0.25, height: 0.5 } }]
const scene = {
  name: 'many', world: { gravity: [0, 0, 0], sleep_enabled: false }, camera: { eye: [0, 30, 60], target: [0, 0, 0] },
  bodies: [{ name: 'ground', motion_type: 'static', shape: { plane: {} }, position: [0, -20, 0] }],
  generators: shapes.map((shape, index) => ({
    kind: 'grid', counts: [count, each, count], spacing: [2, 2, 2], position: [index * 1 - 2, 0, index],
    body: { shape, angular_velocity: [1, 2, 3], linear_velocity: [0.1 * index, 0.2, 0.1] },
  })),
  spawns: [{ position: [80, 0, 80] }],
}
const file = join(temporary, 'many.scene.json')
writeFileSync(file, JSON.stringify(scene))
const server = spawn(join(programs, 'jostled'), ['--port', '0', '--scene', file, '--web', '127.0.0.1:0', '--web-page', folder],
  { stdio: ['ignore', 'pipe', 'inherit'] })
let words = ''
server.stdout.on('data', (bytes) => { words += bytes })
const url = await until('the server prints no URL', 60, () => words.match(/http:\/\/[\w.:]+\//)?.[0])
const browser = await startBrowser()

/** Measures the page. With `isDrawn` false, WebGL's draw calls are empty functions, so that only the script takes time. */
async function measure(isDrawn) {
  const context = await browser.newContext({ viewport: { width: 320, height: 180 } })
  await context.addInitScript((draws) => {
    localStorage.setItem('jostle-settings', '{"shadows":"soft","scale":0.5,"isAdaptive":false}')
    for (const name of draws ? [] : ['drawArrays', 'drawArraysInstanced', 'drawElements', 'drawElementsInstanced', 'clear'])
      WebGL2RenderingContext.prototype[name] = () => {}
  }, isDrawn)
  const page = await openPage(context, url)
  await waitForWorld(page, 'many', 120)
  await sleep(15_000)  // the browser compiles the hot functions of the module
  const found = await page.evaluate(async () => {
    const app = window.jostle
    app.scriptTimes = []
    await new Promise((resolve) => setTimeout(resolve, 20_000))
    const times = app.scriptTimes.sort((a, b) => a - b)
    app.scriptTimes = null
    const meshes = app.frame.first.reduce((sum, from, at, all) => sum + (at > 0 && from > all[at - 1] ? 1 : 0), 0)
    return { frames: times.length, least: times[0], median: times[times.length >> 1], bodies: app.frame.bodies, awake: app.frame.awake,
      draws: app.renderer.drawCalls, meshes }
  })
  console.log(`${isDrawn ? 'drawn in software' : 'script alone'}: ${found.bodies} bodies, ${found.awake} awake, ${found.frames} frames in 20 s; ` +
    `${found.draws} draw calls for ${found.meshes} meshes; script per frame median ${found.median.toFixed(2)} ms, least ${found.least.toFixed(2)} ms`)
  await context.close()
}

await measure(true)
await measure(false)
await browser.close()
server.kill('SIGTERM')
rmSync(temporary, { recursive: true })
