// node gate_test.mjs PAGE_FOLDER [PART_OF_A_NAME]: tests of the page with a server and its gate, in
// Chromium. JOSTLE_BIN names the folder of jostled, jostle-gate and jostle.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { startTabs } from './tabs.mjs'
import { check, largestMove, openPage, positionsOf, run, source, startBrowser, statusOf, until, visibleBody, waitForWorld }
  from './browser.mjs'

const folder = process.argv[2]
const programs = process.env.JOSTLE_BIN ?? join(source, 'build/release/bin')
const temporary = mkdtempSync(join(tmpdir(), 'jostle-gate-'))
const browser = await startBrowser()
const light = '{"shadows":"off","scale":0.5}'

/** Starts a server with its gate. Returns the URL of the page and a function that ends both. */
async function startServer(...options) {
  const web = options[0] === '--web' ? options.splice(0, 2)[1] : '127.0.0.1:0'
  const server = spawn(join(programs, 'jostled'), ['--port', '0', '--web', web, '--web-page', folder, ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] })
  let words = ''
  server.stdout.on('data', (bytes) => { words += bytes })
  server.stderr.on('data', (bytes) => { words += bytes })
  const url = await until(`the server prints no URL: ${words}`, 60, () => words.match(/http:\/\/[\w.:]+\//)?.[0])
    .catch((error) => { throw new Error(`${error.message}: ${words}`) })
  const stop = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
  return { url, stop, words: () => words }
}

async function withPage(server, address, use, options = {}) {
  const context = await browser.newContext({ viewport: { width: 320, height: 180 } })
  await context.addInitScript((text) => localStorage.setItem('jostle-settings', text), light)
  try {
    const page = await openPage(context, server.url + address, options)
    await use(page, context)
    check(page.faults.length === 0, page.faults.join('; '))
  } finally {
    await context.close()
  }
}

const issue = (keys, role) =>
  execFileSync(join(programs, 'jostle'), ['token', 'issue', '--role', role, '--reusable', '--keys', keys], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** Presses the Ctrl key and the mouse at the highest body and pulls it up. Returns true if it rises. */
async function dragsBody(page) {
  const body = await until('no body is visible', 60, () => visibleBody(page))
  const place = (await positionsOf(page)).get(body.id)
  await page.keyboard.down('Control')
  await page.mouse.move(body.x, body.y)
  await page.mouse.down()
  await page.mouse.move(body.x + 20, Math.max(body.y - 30, 2), { steps: 8 })
  // The body may have moved away before the frame that took the press; then the caller tries again.
  const isUp = async () => ((await positionsOf(page)).get(body.id)?.[1] ?? 0) > place[1] + 0.3
  const hasMoved = await until('', 8, isUp).then(() => true, () => false)
  await page.mouse.up()
  await page.keyboard.up('Control')
  return hasMoved
}

const moveOf = async (page, id, before) => {
  const now = (await positionsOf(page)).get(id)
  return now && before ? Math.hypot(now[0] - before[0], now[1] - before[1], now[2] - before[2]) : 0
}

const tests = {
  async 'a spectator sees the world move'() {
    const server = await startServer('--scene', 'crates')
    try {
      await withPage(server, '#tick=7&room=main', async (page) => {
        const status = await waitForWorld(page, 'crates')
        const notice = await until('the link is not corrected', 60, () => page.locator('#notice').innerText())
        check(notice.includes("tick '7' is not used") && notice.includes("room 'main' is not used"), `the notice is '${notice}'`)
        check(status.player === 0, 'a page without ?play is a player')
        const before = await positionsOf(page)
        await until('nothing moves', 60, async () => largestMove(before, await positionsOf(page)) > 0.05)
        check(await page.evaluate(() => !performance.getEntriesByType('resource').some((each) => each.name.includes('jostle_engine'))),
          'a spectator loads the engine')
        // The list of scenes is asked for when it is wanted: a server without other scenes answers with a notice.
        const scenes = () => page.evaluate(() => window.jostle.session.scenes.length)
        check(await scenes() === 0, 'the page has asked for the scenes by itself')
        await page.evaluate(() => window.jostle.openScenes())
        await until('the list of scenes stays empty', 60, async () => await scenes() > 10)
      })
    } finally { await server.stop() }
  },

  async 'a player pushes, shoots, drags and switches the scene'() {
    const keys = join(temporary, 'keys')
    const token = issue(keys, 'operator')
    const server = await startServer('--scene', 'tower', '--auth', 'token', '--keys', keys)
    try {
      await withPage(server, `?play#token=${token}`, async (page) => {
        const status = await waitForWorld(page, 'tower')
        check(status.player !== 0, 'the token gives no player')
        // The figures cover the light blocks at the top.
        await page.evaluate(() => { document.getElementById('status').hidden = true })
        // The camera may move before the frame that takes the click; then try again. The tower rests; its blocks are heavy.
        const start = await positionsOf(page)
        let body = null
        await until('a click does not push the body', 120, async () => {
          body = await until('no body is visible', 60, () => visibleBody(page))
          await page.mouse.click(body.x, body.y)
          return until('', 0.5, async () => await moveOf(page, body.id, start.get(body.id)) > 0.004).catch(() => false)
        })
        const count = (await positionsOf(page)).size
        await page.keyboard.down('Shift')
        await page.mouse.click(body.x, body.y)
        await page.keyboard.up('Shift')
        await until('Shift-click does not shoot', 60, async () => (await positionsOf(page)).size > count)
        await until('a drag does not move the body', 60, () => dragsBody(page))
        await page.evaluate(() => window.jostle.session.chooseScene('pyramid'))
        await waitForWorld(page, 'pyramid')
      })
    } finally { await server.stop() }
  },

  async 'a page joins again after the server was lost'() {
    const keys = join(temporary, 'lost')
    let server = await startServer('--scene', 'crates', '--keys', keys)
    const { port } = new URL(server.url)
    await withPage(server, '', async (page) => {
      await waitForWorld(page, 'crates')
      await server.stop()
      await until('the page does not notice the loss', 40, async () => (await statusOf(page)).reconnecting)
      check(await page.locator('#message').isVisible(), 'the loss is not shown')
      server = await startServer('--web', `127.0.0.1:${port}`, '--scene', 'pyramid', '--keys', keys)
      await waitForWorld(page, 'pyramid', 90)
    }, { allowed: ['WebSocket connection'] })
    await server.stop()
  },

  async 'a hidden tab stays current'() {
    const server = await startServer('--scene', 'crates')
    const tabs = await startTabs()
    try {
      const tab = await tabs.open(server.url, `localStorage.setItem('jostle-settings', '${light}')`)
      const status = () => tab.run('window.jostle?.session.clientModule?.json(() => window.jostle.session.clientModule.exports.client_status())')
      await until('no playing world', 60, async () => (await status())?.state === 2 && await tab.run('window.jostle.frames > 0'))
      await tabs.open('about:blank')
      await until('the tab is visible', 60, () => tab.run('document.hidden'))
      const frames = await tab.run('window.jostle.frames')
      const before = await status()
      await until('the hidden tab does not follow the world', 60, async () => (await status()).metrics.tick > before.metrics.tick + 300)
      check((await status()).state === 2, 'the hidden tab has lost its connection')
      check(await tab.run('window.jostle.frames') <= frames + 1, 'the hidden tab draws')
      // A page that did not follow would show a tick from before it was hidden.
      await tab.run(`void (window.first = new Promise((resolve) => document.addEventListener('visibilitychange', () =>
        requestAnimationFrame(() => requestAnimationFrame(() => {
          const { clientModule } = window.jostle.session
          const { shown_tick } = clientModule.json(() => clientModule.exports.client_status())
          resolve(shown_tick)
        })))))`)
      await tab.show()
      const shown = await tab.run('window.first')
      check(shown > before.metrics.tick + 150, `hidden at tick ${before.metrics.tick}, the first picture shows tick ${shown}`)
    } finally {
      await tabs.close()
      await server.stop()
    }
  },

  async 'lockstep computes the same bits as the native server'() {
    const server = await startServer('--scene', 'crates', '--mode', 'lockstep')
    try {
      await withPage(server, '?lockstep&play', async (page) => {
        await waitForWorld(page, 'crates')
        await until('lockstep does not run', 60, async () => {
          const { lockstep } = await statusOf(page)
          check(!lockstep.desynced, lockstep.text)
          return lockstep.running && lockstep.hashes >= 4
        })
        check((await page.locator('#proof').innerText()).includes('the same bits'), 'no mark is shown')
      })
    } finally { await server.stop() }
  },

  async 'prediction runs in the tab'() {
    const server = await startServer('--scene', 'walk')
    try {
      await withPage(server, '?predict&play', async (page) => {
        await waitForWorld(page, 'walk')
        let text = ''
        await until('prediction does not run', 60, async () => {
          const { prediction } = await statusOf(page)
          text = prediction.text
          return prediction.running
        }).catch((error) => { throw new Error(`${error.message}: ${text}`) })
      })
    } finally { await server.stop() }
  },

  async 'a wrong token is refused with its reason'() {
    const keys = join(temporary, 'wrong')
    issue(keys, 'player')
    const foreign = issue(join(temporary, 'foreign'), 'player')
    const server = await startServer('--scene', 'crates', '--auth', 'token', '--keys', keys)
    try {
      const long = 'a'.repeat(600)
      await withPage(server, `#token=${long}`, async (page) => {
        const message = page.locator('#message')
        await until('the length of the token is not shown', 60, async () => await message.isVisible() &&
          (await message.innerText()).includes('has 600 bytes; accepted: at most 512'))
      })
      for (const [token, text] of [[foreign, 'token'], ['', 'token']]) {
        await withPage(server, `#token=${token}`, async (page) => {
          await until('the refusal is not shown', 60, async () => (await page.locator('#message').innerText()).toLowerCase().includes(text))
          check((await statusOf(page)).state === 3, 'the page has not failed')
        })
      }
    } finally { await server.stop() }
  },

  async 'one gate serves rooms over TLS, also in the frame of a notebook'() {
    const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(temporary, name))
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2', '-keyout', key, '-out', cert],
      { stdio: 'ignore' })
    const names = ['crates', 'balls']
    const sockets = names.map((name) => join(temporary, `${name}.sock`))
    const servers = names.map((name, at) => spawn(join(programs, 'jostled'), ['--port', '0', '--scene', name, '--web-socket', sockets[at]], { stdio: 'ignore' }))
    const notebook = createServer((_, response) => response.end('<title>notebook</title>')).listen(0, '127.0.0.1')
    await new Promise((resolve) => notebook.once('listening', resolve))
    const gate = spawn(join(programs, 'jostle-gate'), ['--listen', '127.0.0.1:0', '--page', folder, '--cert', cert, '--key', key,
      '--embed', 'http://localhost:*', ...names.flatMap((name, at) => ['--room', `${name}=${sockets[at]}`])], { stdio: ['ignore', 'pipe', 'inherit'] })
    let words = ''
    gate.stdout.on('data', (bytes) => { words += bytes })
    const context = await browser.newContext({ viewport: { width: 320, height: 180 }, ignoreHTTPSErrors: true })
    await context.addInitScript((text) => localStorage.setItem('jostle-settings', text), light)
    try {
      const url = await until('the gate prints no URL', 60, () => words.match(/https:\/\/[\w.:]+\//)?.[0])
      for (const name of names) {
        const page = await openPage(context, `${url}room/${name}`)
        await waitForWorld(page, name)
        check(page.faults.length === 0, page.faults.join('; '))
        await page.close()
      }
      const page = await context.newPage()
      const show = async (origin) => {
        await page.goto(`${origin}:${notebook.address().port}/`)
        await page.evaluate((address) => { document.body.innerHTML = `<iframe src="${address}"></iframe>` }, `${url}room/balls/`)
        return page.frames().find((frame) => frame !== page.mainFrame())
      }
      const frame = await show('http://localhost')
      await until('the frame shows no world', 60, () => frame.evaluate(() => (window.jostle?.frames ?? 0) > 0).catch(() => false))
      const refused = new Promise((resolve) => page.on('console', (message) => { if (message.text().includes('frame-ancestors')) resolve(true) }))
      await show('http://127.0.0.1')
      await refused  // an origin that --embed does not name
    } finally {
      await context.close()
      notebook.close()
      for (const process of [gate, ...servers]) process.kill('SIGTERM')
    }
  },

  async 'a page of another origin cannot connect'() {
    const server = await startServer('--scene', 'crates')
    const other = createServer((_, response) => response.end('<title>foreign</title>')).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    try {
      const page = await browser.newPage()
      await page.goto(`http://127.0.0.1:${other.address().port}/`)
      const answer = await page.evaluate((url) => new Promise((resolve) => {
        const socket = new WebSocket(url)
        socket.onopen = () => resolve('open')
        socket.onerror = () => resolve('refused')
      }), `${server.url.replace('http', 'ws')}ws`)
      check(answer === 'refused', 'a foreign page has opened the socket')
      await page.close()
    } finally {
      other.close()
      await server.stop()
    }
  },
}

await run(tests)
await browser.close()
rmSync(temporary, { recursive: true })
