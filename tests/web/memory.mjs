// node memory.mjs PAGE_FOLDER MINUTES SCENE: memory of a tab that watches a scene, of the gate and the server, and the
// age of what the tab shows, once a minute. JOSTLE_BIN names the folder of jostled and jostle-gate.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { openPage, sleep, source, startBrowser, statusOf, until, waitForWorld } from './browser.mjs'

const [folder, minutes = '60', scene = 'crates'] = process.argv.slice(2)
const programs = process.env.JOSTLE_BIN ?? join(source, 'build/release/bin')
const server = spawn(join(programs, 'jostled'), ['--port', '0', '--scene', scene, '--web', '127.0.0.1:0', '--web-page', folder],
  { stdio: ['ignore', 'pipe', 'ignore'] })
let words = ''
server.stdout.on('data', (bytes) => { words += bytes })
const url = await until('the server prints no URL', 60, () => words.match(/http:\/\/[\w.:]+\//)?.[0])
const gate = execFileSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' }).trim().split('\n')[0]
const browser = await startBrowser()
const context = await browser.newContext({ viewport: { width: 320, height: 180 } })
await context.addInitScript(() => localStorage.setItem('jostle-settings', '{"shadows":"off","scale":0.5}'))
const page = await openPage(context, url)
await waitForWorld(page, scene, 120)
const devtools = await context.newCDPSession(page)
await devtools.send('Performance.enable')
const residentMb = (process) => Number(readFileSync(`/proc/${process}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024

console.log('minute  scene     heap MB  wasm MB  gate MB  server MB  age ms  lag ticks')
for (let minute = 0; minute <= Number(minutes); ++minute) {
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize').value / 2 ** 20
  const wasm = await page.evaluate(() => window.jostle.module.exports.memory.buffer.byteLength) / 2 ** 20
  const status = await statusOf(page)
  console.log([String(minute).padStart(6), ` ${status.scene.padEnd(9)}`, heap.toFixed(1).padStart(6), wasm.toFixed(1).padStart(8), residentMb(gate).toFixed(1).padStart(8),
    residentMb(server.pid).toFixed(1).padStart(10), status.metrics.age_ms.toFixed(0).padStart(7), (status.metrics.tick - status.shown_tick).toFixed(0).padStart(9)].join(' '))
  if (minute < Number(minutes)) await sleep(60_000)
}
await browser.close()
server.kill('SIGTERM')
