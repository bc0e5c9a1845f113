// node first_picture.mjs PAGE_FOLDER [RUNS]: time from opening the URL of a gate to the first picture in which a body has
// moved, on loopback and over 50 ms and 5 Mbit/s, with an empty cache. JOSTLE_BIN names the folder of the programs.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { source, startBrowser, until } from './browser.mjs'

const [folder, runs = '3'] = process.argv.slice(2)
const programs = process.env.JOSTLE_BIN ?? join(source, 'build/release/bin')
const server = spawn(join(programs, 'jostled'), ['--port', '0', '--scene', 'crates', '--web', '127.0.0.1:0', '--web-page', folder],
  { stdio: ['ignore', 'pipe', 'ignore'] })
let words = ''
server.stdout.on('data', (bytes) => { words += bytes })
const url = await until('the server prints no URL', 60, () => words.match(/http:\/\/[\w.:]+\//)?.[0])
const links = { loopback: null, '50 ms, 5 Mbit/s': { offline: false, latency: 50, downloadThroughput: 625_000, uploadThroughput: 625_000 } }
const browser = await startBrowser()
const found = Object.fromEntries(Object.keys(links).map((name) => [name, []]))
for (let run = 0; run < Number(runs); ++run) {
  for (const [name, conditions] of Object.entries(links)) {
    const context = await browser.newContext({ viewport: { width: 320, height: 180 } })
    // The page itself notes the time of the first picture with a new tick, measured from the navigation.
    await context.addInitScript(() => {
      localStorage.setItem('jostle-settings', '{"shadows":"off","scale":0.5}')
      let first = null
      const look = () => {
        const { module, frame } = window.jostle ?? {}
        const rows = module && frame ? module.json(() => module.exports.view_bodies()) : []
        const places = rows.filter(([, , motion]) => motion === 2).map(([, , , , x, y, z]) => [x, y, z])
        first ??= places.length > 0 ? places : null
        const hasMoved = first && places.some(([x, y, z], at) => first[at] && Math.hypot(x - first[at][0], y - first[at][1], z - first[at][2]) > 1e-3)
        if (hasMoved) window.firstPictureMs = performance.now()
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    const page = await context.newPage()
    if (conditions) {
      const devtools = await context.newCDPSession(page)
      await devtools.send('Network.enable')
      await devtools.send('Network.emulateNetworkConditions', conditions)
    }
    await page.goto(url)
    found[name].push(await until('no picture', 60, () => page.evaluate(() => window.firstPictureMs ?? 0)))
    await context.close()
  }
}
for (const [name, times] of Object.entries(found)) console.log(`${name}: ${times.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(', ')}`)
await browser.close()
server.kill('SIGTERM')
