// node hidden.mjs PAGE_FOLDER [SECONDS [RUNS]]: hides a tab for some time, and prints how long after it is shown again it shows
// the same tick as a page that was visible all the time, within 200 ms. JOSTLE_BIN names the folder of the programs.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { openPage, sleep, source, startBrowser, until, waitForWorld } from './browser.mjs'
import { startTabs } from './tabs.mjs'

const [folder, seconds = '60', runs = '3'] = process.argv.slice(2)
const programs = process.env.JOSTLE_BIN ?? join(source, 'build/release/bin')
const server = spawn(join(programs, 'jostled'), ['--port', '0', '--scene', 'crates', '--web', '127.0.0.1:0', '--web-page', folder],
  { stdio: ['ignore', 'pipe', 'ignore'] })
let words = ''
server.stdout.on('data', (bytes) => { words += bytes })
const url = await until('the server prints no URL', 60, () => words.match(/http:\/\/[\w.:]+\//)?.[0])
const settings = `localStorage.setItem('jostle-settings', '{"shadows":"off","scale":0.5}')`
// Notes the shown tick of each frame: [time of the system in ms, tick].
const watch = `void ((look) => look(look))((look) => requestAnimationFrame(() => {
  window.shown ??= []
  const { session, frame } = window.jostle
  const client = session.clientModule
  if (frame) window.shown.push([performance.timeOrigin + performance.now(), client.json(() => client.exports.client_status()).shown_tick])
  if (window.shown.length > 100000) window.shown.shift()
  look(look)
}))`
const browser = await startBrowser()
const context = await browser.newContext({ viewport: { width: 320, height: 180 } })
await context.addInitScript(settings)
const visible = await openPage(context, url)
await waitForWorld(visible, 'crates')
await visible.evaluate(watch)
const tabs = await startTabs()
const tab = await tabs.open(url, settings)
await until('no world in the tab', 60, () => tab.run('(window.jostle?.frames ?? 0) > 0'))
await tab.run(watch)
const other = await tabs.open('about:blank')

/** Returns the tick that the visible page has shown at a time, or null. */
function tickAt(samples, time) {
  const next = samples.findIndex(([at]) => at >= time)
  if (next < 1) return null
  const [[before, from], [after, to]] = [samples[next - 1], samples[next]]
  return from + (to - from) * (time - before) / (after - before)
}

for (let run = 0; run < Number(runs); ++run) {
  await other.show()
  await sleep(Number(seconds) * 1000)
  await tab.run(`window.shown = []; document.addEventListener('visibilitychange', () => {
    window.since = performance.timeOrigin + performance.now() }, { once: true })`)
  await tab.show()
  await sleep(5000)
  const own = await tab.run('({ shown: window.shown, since: window.since })')
  const samples = await visible.evaluate(() => window.shown)
  const lags = own.shown.map(([time, tick]) => [time - own.since, (tickAt(samples, time) ?? Infinity) - tick]).filter(([, lag]) => lag !== Infinity)
  const current = lags.find(([, lag]) => Math.abs(lag) <= 12)
  console.log(`hidden for ${seconds} s: first picture after ${lags[0][0].toFixed(0)} ms, ${lags[0][1].toFixed(1)} ticks behind a visible page; ` +
    `current after ${current ? `${current[0].toFixed(0)} ms` : 'more than 5 s'}`)
}
await tabs.close()
await browser.close()
server.kill('SIGTERM')
