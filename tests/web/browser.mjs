// Helpers of the page's tests: a plain static server, Chromium, and checks that end the test.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const source = join(dirname(fileURLToPath(import.meta.url)), '../..')
const { chromium } = createRequire(join(source, 'web/page/package.json'))('playwright-core')

export { sleep }

/** Ends the test with a message unless the condition is true. */
export function check(condition, message) {
  if (!condition) throw new Error(message)
}

/** Other programs may take most of the processor's time, so the tests wait this many times as long as stated. */
const patience = 4

/** Calls `ask` until it returns a truthy value, which is returned. Fails after `seconds` of a calm machine. */
export async function until(what, seconds, ask) {
  const end = performance.now() + patience * seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > end) throw new Error(`after ${patience * seconds} s: ${what}`)
    await sleep(50)
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Serves a folder with Python's http.server. Returns its URL and a function that ends it. */
export async function serve(folder) {
  const port = await freePort()
  const server = spawn('python3', ['-m', 'http.server', '--bind', '127.0.0.1', '--directory', folder, String(port)],
    { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}/`
  await until('python3 -m http.server does not answer', 20, () => fetch(url).then(() => true, () => false))
  return { url, stop: () => server.kill() }
}

/** Draws in software. */
export const chromiumOptions = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']

export function chromiumProgram() {
  const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))
  check(program, 'the tests of the page need Chromium: apt-get install chromium')
  return program
}

/** Starts Chromium, whose pages are all visible. */
export async function startBrowser() {
  return chromium.launch({ executablePath: chromiumProgram(), args: [...chromiumOptions, '--disable-background-timer-throttling'] })
}

/**
 * Opens a page whose faults are collected: errors of the console, exceptions, and requests to other
 * hosts. `page.faults` may be read at any time.
 */
export async function openPage(context, url, { allowed = [] } = {}) {
  const page = await context.newPage()
  page.setDefaultTimeout(240_000)
  const own = new URL(url).origin
  page.faults = []
  const note = (text) => { if (!allowed.some((each) => text.includes(each))) page.faults.push(text) }
  page.on('console', (message) => { if (message.type() === 'error') note(`console: ${message.text()}`) })
  page.on('pageerror', (error) => note(`exception: ${error.message}`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== own && !['blob:', 'data:', 'ws:', 'wss:'].includes(protocol)) note(`request to another host: ${request.url()}`)
  })
  await page.goto(url)
  return page
}

export const statusOf = (page) => page.evaluate(() => window.jostle?.status ?? null)
export const framesOf = (page) => page.evaluate(() => window.jostle?.frames ?? 0)

/** Waits until the page draws a playing world. Returns its status. */
export async function waitForWorld(page, scene = null, seconds = 60) {
  return until(`no playing world${scene ? ` '${scene}'` : ''}`, seconds, async () => {
    const fault = await page.evaluate(() => document.body.dataset.fault ?? '')
    check(fault === '', fault)
    const status = await statusOf(page)
    const isThere = status?.state === 2 && (await page.evaluate(() => window.jostle.frame !== null))
    return isThere && (scene === null || status.scene === scene) ? status : null
  })
}

/** Positions of all bodies, by id. */
export async function positionsOf(page) {
  const rows = await page.evaluate(() => {
    const { module } = window.jostle
    return module.json(() => module.exports.view_bodies())
  })
  return new Map(rows.map(([id, , , , x, y, z]) => [id, [x, y, z]]))
}

/** Returns the id and place, in CSS pixels, of the highest dynamic body that a click would hit. Nothing rests on it. */
export const visibleBody = (page) => page.evaluate(() => {
  const { module, canvas } = { module: window.jostle.module, canvas: document.getElementById('view') }
  const scale = canvas.width / canvas.clientWidth
  const bodies = module.json(() => module.exports.view_bodies()).filter(([, , motion]) => motion === 2)
  bodies.sort((one, two) => two[5] - one[5])
  for (const [id] of bodies) {
    const point = module.json(() => module.exports.view_project(id))
    if (!point || point[0] < 10 || point[0] > canvas.width - 10 || point[1] < 10 || point[1] > canvas.height - 10) continue
    // Panels may cover the body.
    if (document.elementFromPoint(point[0] / scale, point[1] / scale) !== canvas) continue
    if (module.exports.view_pick(point[0], point[1]) === id) return { id, x: point[0] / scale, y: point[1] / scale }
  }
  return null
})

/** Returns the largest distance by which a body has moved between two results of positionsOf(). */
export function largestMove(before, after) {
  let largest = 0
  for (const [id, [x, y, z]] of after) {
    const old = before.get(id)
    if (old) largest = Math.max(largest, Math.hypot(x - old[0], y - old[1], z - old[2]))
  }
  return largest
}

/** Runs tests one after the other. Ends the process with an error if one fails. */
export async function run(tests) {
  const only = process.argv[3]
  let failed = 0
  let count = 0
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue
    ++count
    const start = performance.now()
    try {
      await test()
      console.log(`ok     ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
    } catch (error) {
      ++failed
      console.log(`FAILED ${name}: ${error.message}`)
    }
  }
  console.log(`${count - failed} passed, ${failed} failed`)
  if (failed > 0 || count === 0) process.exitCode = 1
}
