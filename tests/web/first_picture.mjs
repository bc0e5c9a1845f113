// node first_picture.mjs PAGE_FOLDER [RUNS [WIDTHxHEIGHT]]: time from opening the URL of a gate to the first picture in which a
// body has moved, on loopback and over 50 ms and 5 Mbit/s, with an empty cache. JOSTLE_BIN names the folder of the programs.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { source, startBrowser, until } from './browser.mjs'
import { slowLink } from './slow_link.mjs'

const [folder, runs = '5', size = '1280x720'] = process.argv.slice(2)
const [width, height] = size.split('x').map(Number)
const programs = process.env.JOSTLE_BIN ?? join(source, 'build/release/bin')
// The players of this scene are not there, but its belts move.
const server = spawn(join(programs, 'jostled'), ['--port', '0', '--scene', 'sorter', '--web', '127.0.0.1:0', '--web-page', folder],
  { stdio: ['ignore', 'pipe', 'ignore'] })
let words = ''
server.stdout.on('data', (bytes) => { words += bytes })
const own = await until('the server prints no URL', 60, () => words.match(/http:\/\/[\w.:]+\//)?.[0])
const link = await slowLink(Number(new URL(own).port), { roundTripMs: 50, bytesPerSecond: 625_000 })
const urls = { loopback: own, '50 ms, 5 Mbit/s': `http://127.0.0.1:${link.port}/` }
const steps = ['script', 'context', 'module', 'built', 'compiled', 'shaders', 'admitted', 'picture', 'moved']

// The page itself notes the time of the first picture with a new tick, measured from the navigation.
function watchFirstMove() {
  let first = null
  const look = () => {
    const { module, frame } = window.jostle ?? {}
    const rows = module && frame ? module.json(() => module.exports.view_bodies()) : []
    const places = rows.filter(([, , motion]) => motion === 2).map(([, , , , x, y, z]) => [x, y, z])
    first ??= places.length > 0 ? places : null
    const hasMoved = first && places.some(([x, y, z], at) => first[at] && Math.hypot(x - first[at][0], y - first[at][1], z - first[at][2]) > 1e-3)
    if (hasMoved) performance.mark('jostle-moved')
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

const browser = await startBrowser()
const found = Object.fromEntries(Object.keys(urls).map((name) => [name, []]))
for (let run = 0; run < Number(runs); ++run) {
  for (const [name, url] of Object.entries(urls)) {
    const context = await browser.newContext({ viewport: { width, height } })
    await context.addInitScript(watchFirstMove)
    const page = await context.newPage()
    await page.goto(url)
    await until('no picture', 60, () => page.evaluate(() => performance.getEntriesByName('jostle-moved').length > 0))
    found[name].push(await page.evaluate((names) => names.map((step) => performance.getEntriesByName(`jostle-${step}`)[0].startTime), steps))
    await context.close()
  }
}
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`
for (const [name, times] of Object.entries(found)) {
  const sorted = [...times].sort((one, two) => one.at(-1) - two.at(-1))
  const median = sorted[sorted.length >> 1]
  console.log(`${name}: median ${seconds(median.at(-1))}, longest ${seconds(sorted.at(-1).at(-1))} of ${times.length} ` +
    `(median run: ${steps.map((step, at) => `${step} ${seconds(median[at])}`).join(', ')})`)
}
await browser.close()
link.close()
server.kill('SIGTERM')
