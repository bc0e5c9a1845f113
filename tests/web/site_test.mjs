// node site_test.mjs SITE_FOLDER [PART_OF_A_NAME]: tests of the page without a server, in Chromium.
// SITE_FOLDER is the result of `./run site`; JOSTLE_BIN names the folder of jostle and jostle-matrix.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { faultTests } from './fault_tests.mjs'
import { ballsIn, ballsScene, camera, drawNatively, ownScene } from './pictures.mjs'
import { check, framesOf, largestMove, openPage, positionsOf, run, serve, sleep, source, startBrowser, statusOf, until, visibleBody, waitForWorld }
  from './browser.mjs'

const folder = process.argv[2]
const programs = process.env.JOSTLE_BIN ?? join(source, 'build/release/bin')
const web = await serve(folder)
const browser = await startBrowser()
const temporary = mkdtempSync(join(tmpdir(), 'jostle-site-'))
const small = { viewport: { width: 320, height: 180 } }
const scenes = readdirSync(join(source, 'scenes')).filter((file) => file.endsWith('.scene.json'))
  .map((file) => file.replace('.scene.json', ''))
const resting = new Set(['tower', 'wall', 'pyramid', 'dominoes', 'card_house'])  // move only when a player touches them

async function inPage(hash, use, options = {}) {
  const context = await browser.newContext({ ...small, ...options.context })
  // Software drawing takes most of the time, so draw few pixels unless the picture matters.
  await context.addInitScript((text) => localStorage.setItem('jostle-settings', text),
    options.isFine ? '{"isAdaptive":false}' : '{"shadows":"off","scale":0.5}')
  try {
    const page = await openPage(context, web.url + (options.query ?? '') + hash, options)
    await use(page, context)
    check(page.faults.length === 0, page.faults.join('; '))
  } finally {
    await context.close()
  }
}

const goldens = () => {
  const text = readFileSync(join(source, 'tests/determinism/gallery_goldens.h'), 'utf8')
  return [...text.matchAll(/\{"(\w+)", (\d+), 0x([0-9A-F]{16})ULL\}/g)]
    .map(([, scene, ticks, hash]) => ({ scene, ticks: Number(ticks), hash: hash.toLowerCase() }))
}

/** Saves the recording of the page's world and returns its bytes. */
const recordingOf = (page) => page.evaluate(async () => {
  const found = await window.jostle.session.recording()
  return { ticks: found.ticks, bytes: [...found.bytes] }
})

const replayOf = (page) => page.evaluate(() => {
  const { module } = window.jostle
  return module.hasEngine ? module.json(() => module.exports.replay_status()) : null
})

const tests = {
  ...faultTests({ inPage, openReplay, programs, temporary }),

  async 'first picture'() {
    await inPage('', async (page) => {
      const start = performance.now()
      await waitForWorld(page, 'crates')
      console.log(`       first picture after ${(performance.now() - start).toFixed(0)} ms, in software`)
      const before = await positionsOf(page)
      await until('no body of crates moves', 60, async () => largestMove(before, await positionsOf(page)) > 0.1)
    })
  },

  async 'every scene of the gallery loads and moves'() {
    await inPage('', async (page) => {
      await waitForWorld(page, 'crates')
      for (const scene of scenes) {
        await page.evaluate((name) => window.jostle.session.chooseScene(name), scene)
        await waitForWorld(page, scene)
        const first = await statusOf(page)
        const frames = await framesOf(page)
        // Some scenes have come to rest when the page shows them, so start them again.
        await page.evaluate(() => window.jostle.command('reset'))
        let now = first
        let before = await positionsOf(page)
        let steps = 0  // moves between two looks; the first may be the restart
        await until(`scene ${scene} stands still`, 60, async () => {
          now = await statusOf(page)
          const after = await positionsOf(page)
          if (largestMove(before, after) > 0.001) ++steps
          before = after
          return (resting.has(scene) || steps > 1) && now.shown_tick > first.shown_tick + 20 && await framesOf(page) > frames
        }).catch((error) => { throw new Error(`${error.message}: tick ${first.shown_tick} to ${now.shown_tick}, newest ${now.metrics.tick}`) })
        await sleep(scene === scenes.at(-1) ? 0 : 700)  // the server loads one scene per second
      }
    })
  },

  async 'hashes equal the goldens of the native builds'() {
    const expected = goldens()
    check(expected.length >= 14, `read only ${expected.length} goldens`)
    await inPage('', async (page) => {
      await waitForWorld(page)
      const found = await page.evaluate(async (runs) => {
        const engine = await window.jostle.session.loadEngine()
        const hashes = []
        for (const { scene, ticks } of runs) {
          const text = await (await fetch(`scenes/${scene}.scene.json`)).text()
          const fault = engine.withText(scene, (at, size) => engine.withText(text, (textAt, textSize) =>
            engine.text(() => engine.exports.scene_add(at, size, textAt, textSize))))
          if (fault) return [fault]
          engine.withText(scene, (at, size) => engine.exports.proof_start(at, size, 7))
          hashes.push(engine.text(() => engine.exports.proof_step(ticks)))
        }
        return hashes
      }, expected)
      expected.forEach(({ scene, ticks, hash }, index) =>
        check(found[index] === hash, `${scene} at tick ${ticks}: ${found[index]} in the browser, ${hash} natively`))
    })
  },

  async 'a recording of the page verifies natively, and replays in the page'() {
    const file = join(temporary, 'page.jrec')
    await inPage('#scene=balls', async (page) => {
      await waitForWorld(page, 'balls')
      await focus(page)
      await page.keyboard.down('KeyW')
      await until('too few ticks', 60, async () => (await statusOf(page)).shown_tick > 150)
      await page.keyboard.up('KeyW')
      const { bytes, ticks } = await recordingOf(page)
      check(ticks > 100, `the recording has ${ticks} ticks`)
      writeFileSync(file, Buffer.from(bytes))
      const words = execFileSync(join(programs, 'jostle'), ['verify', file], { encoding: 'utf8' })
      check(/\d+ ticks agree/.test(words), `jostle verify: ${words}`)
      await replay(page, file)
    })
    await comparesRecordings()
  },

  async 'two tabs play together in lockstep'() {
    await inPage('#scene=cradle', async (page, context) => {
      await waitForWorld(page, 'cradle')
      const opening = context.waitForEvent('page')
      await page.evaluate(() => window.jostle.session.openSecondTab())
      const second = await opening
      await waitForWorld(second, 'cradle')
      for (const tab of [page, second]) {
        await tab.bringToFront()
        await until('a tab does not run in lockstep', 60, async () => {
          const { lockstep } = await statusOf(tab)
          return lockstep.running && lockstep.hashes >= 4
        })
      }
      const [one, two] = [await statusOf(page), await statusOf(second)]
      check(one.player !== 0 && two.player !== 0 && one.player !== two.player, `players ${one.player} and ${two.player}`)
      await second.bringToFront()
      await focus(second)
      const own = await ownBody(second)
      const before = (await positionsOf(page)).get(own)
      await second.keyboard.down('KeyW')
      await until('the first tab does not see the player of the second', 60, async () => {
        const now = (await positionsOf(page)).get(own)
        return now && Math.hypot(now[0] - before[0], now[2] - before[2]) > 0.5
      })
      await second.keyboard.up('KeyW')
      for (const tab of [page, second]) check(!(await statusOf(tab)).lockstep.desynced, 'the tabs are not in lockstep')
    }, { context: { viewport: { width: 320, height: 180 } } })
  },

  async 'everything works by keyboard'() {
    await inPage('#scene=crates', async (page) => {
      await waitForWorld(page, 'crates')
      await focus(page)
      const press = async (key, what, isDone) => {
        await page.keyboard.press(key)
        await until(`${key}: ${what}`, 60, isDone)
      }
      await press('p', 'the world is not paused', async () => (await statusOf(page)).paused)
      const tick = (await statusOf(page)).shown_tick
      await press('.', 'the world makes no step', async () => (await statusOf(page)).paused)
      await press('p', 'the world stays paused', async () => !(await statusOf(page)).paused)
      await until('the world stands still', 60, async () => (await statusOf(page)).shown_tick > tick + 5)
      await press('-', 'the world is not slower', async () => (await statusOf(page)).rate_percent === 50)
      await press('=', 'the world is not faster', async () => (await statusOf(page)).rate_percent === 100)
      await press('g', 'gravity stays on', async () => (await statusOf(page)).gravity_off)
      await press('g', 'gravity stays off', async () => !(await statusOf(page)).gravity_off)
      for (const [key, name] of [['o', 'Bodies'], ['b', 'Draw'], ['n', 'Net graph'], ['m', 'Server statistics']]) {
        const panel = page.locator(`section[aria-label="${name}"]`)
        await press(key, `the panel '${name}' does not open`, () => panel.isVisible())
        if (key === 'm') await until('no statistics', 60, async () => (await panel.innerText()).includes('simulate'))
        await focus(page)
        await press(key, `the panel '${name}' stays open`, async () => !(await panel.isVisible()))
      }
      await press('h', 'no help', () => page.locator('dialog').isVisible())
      check((await page.locator('dialog').innerText()).includes('push the body'), 'the help is empty')
      await press('Escape', 'the help stays', async () => await page.locator('dialog').count() === 0)
      await press('F10', 'no settings', () => page.locator('dialog').isVisible())
      await page.getByLabel('colours').selectOption('dark')
      check(await page.evaluate(() => document.documentElement.dataset.theme) === 'dark', 'the colours stay light')
      await page.keyboard.press('Escape')
      const camera = () => page.evaluate(() => JSON.stringify(window.jostle.module.json(() => window.jostle.module.exports.view_camera())))
      const before = await camera()
      await page.keyboard.down('ArrowLeft')
      await until('the camera does not turn', 60, async () => await camera() !== before)
      await page.keyboard.up('ArrowLeft')
      await press('l', 'no list of scenes', () => page.locator('dialog .scenes').isVisible())
      await page.locator('dialog .scenes button', { has: page.locator('strong', { hasText: /^pyramid$/ }) }).focus()
      await page.keyboard.press('Enter')
      await waitForWorld(page, 'pyramid')
    })
  },

  async 'touch turns, zooms, pushes, selects and moves'() {
    await inPage('#scene=tower', async (page, context) => {
      await waitForWorld(page, 'tower')
      const devtools = await context.newCDPSession(page)
      const touch = (type, ...points) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
      let before = await settledCamera(page)
      await touch('touchStart', [160, 220])
      for (let x = 160; x <= 220; x += 10) await touch('touchMove', [x, 220])
      await touch('touchEnd')
      await until('a finger does not turn the camera', 60, async () => distanceOf((await cameraOf(page)).eye, before.eye) > 0.5)
      before = await cameraOf(page)
      const distance = ({ eye, target }) => Math.hypot(...eye.map((value, at) => value - target[at]))
      await touch('touchStart', [140, 220], [180, 220])
      for (let d = 0; d <= 40; d += 10) await touch('touchMove', [140 - d, 220], [180 + d, 220])
      await touch('touchEnd')
      await until('two fingers do not zoom', 60, async () => distance(await cameraOf(page)) < 0.8 * distance(before))
      await settledCamera(page)
      const body = await until('no body is visible', 60, () => visibleBody(page))
      await touch('touchStart', [body.x, body.y])
      await sleep(800)  // a long press
      await touch('touchEnd')
      await until('a long press does not select', 60, () => page.evaluate(() => window.jostle.selected !== 0))
      await page.evaluate(() => { window.jostle.act('close'); window.jostle.select(0) })
      const places = await positionsOf(page)
      await until('a tap does not push', 60, async () => {
        const pushed = await visibleBody(page)
        if (!pushed) return false
        await touch('touchStart', [pushed.x, pushed.y])
        await touch('touchEnd')
        return until('', 2, async () => largestMove(places, await positionsOf(page)) > 0.02).catch(() => false)
      })
      // Two taps select, which opens a panel.
      await page.evaluate(() => { window.jostle.act('close'); window.jostle.select(0) })
      await page.locator('#stick').waitFor()
      const own = await ownBody(page)
      const start = (await positionsOf(page)).get(own)
      const { x, y, width, height } = await page.locator('#stick').boundingBox()
      await touch('touchStart', [x + width / 2, y + height / 2])
      await touch('touchMove', [x + width / 2, y + 4])
      await until('the stick does not move the player', 60, async () => distanceOf((await positionsOf(page)).get(own), start) > 0.5)
      await touch('touchEnd')
    }, { context: { hasTouch: true, isMobile: true, viewport: { width: 390, height: 600 } } })
  },

  async 'a gamepad moves, turns and shoots'() {
    await inPage('#scene=crates', async (page) => {
      await waitForWorld(page, 'crates')
      const own = await until('no own body', 60, () => ownBody(page))
      const start = (await positionsOf(page)).get(own)
      const eye = (await cameraOf(page)).eye
      const count = (await positionsOf(page)).size
      await page.evaluate(() => {
        window.pad = { connected: true, axes: [0, -1, 1, 0], buttons: Array.from({ length: 17 }, (_, at) => ({ pressed: at === 7, value: 0 })) }
        Object.defineProperty(navigator, 'getGamepads', { value: () => [window.pad] })
      })
      await until('the left stick does not move the player', 60, async () => distanceOf((await positionsOf(page)).get(own), start) > 0.5)
      await until('the right stick does not turn the camera', 60, async () => distanceOf((await cameraOf(page)).eye, eye) > 0.5)
      await until('the trigger does not shoot', 60, async () => (await positionsOf(page)).size > count)
    })
  },

  async 'a dropped recording plays'() {
    const file = join(temporary, 'dropped.jrec')
    execFileSync(join(programs, 'jostle'), ['record', '--scene', ballsScene(temporary), '--ticks', '60', '-o', file], { stdio: 'ignore' })
    await inPage('', async (page) => {
      await waitForWorld(page)
      await page.evaluate((bytes) => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(bytes)], 'dropped.jrec'))
        for (const kind of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }))
      }, [...readFileSync(file)])
      const opened = await until('the recording does not open', 60, () => replayOf(page))
      check(opened.last === 60, `the recording ends at tick ${opened.last}`)
      check(opened.cut === '', `a whole recording: ${opened.cut}`)
      const panel = page.locator('section[aria-label="Recording"]')
      await until('there is no time line', 60, () => panel.isVisible())
      // A scene closes the recording, and a faulty one does not.
      const open = (text) => page.evaluate((content) => window.jostle.session.open([new File([content], 'own.scene.json')], false), text)
      await open('{ "bodys": [] }')
      check(await panel.isVisible(), 'a faulty scene closes the recording')
      await open(ownScene)
      await until('nothing says that the recording was closed', 60, async () => (await page.locator('#notice').innerText()).includes('closed the recording'))
      await waitForWorld(page, 'own')
      check(!await panel.isVisible() && await replayOf(page) === null, 'the recording plays on')
    })
  },

  async 'links name scene, camera and tick'() {
    await inPage('#scene=crates&camera=20,10,0,0,1,0&tick=200', async (page) => {
      const status = await waitForWorld(page, 'crates')
      check(status.paused, 'the world of a link with a tick is not paused')
      await until('the camera is not that of the link', 60, async () => {
        const camera = await page.evaluate(() => window.jostle.module.json(() => window.jostle.module.exports.view_camera()))
        return Math.hypot(camera.eye[0] - 20, camera.eye[1] - 10, camera.eye[2]) < 0.01
      })
      const bodies = await restingPositions(page)
      await inPage('#scene=crates&tick=200', async (again) => {
        await waitForWorld(again, 'crates')
        check(largestMove(bodies, await restingPositions(again)) < 0.005, 'the same link shows another state')
      })
      await inPage('#scene=crates&tick=20', async (early) => {
        await waitForWorld(early, 'crates')
        check(largestMove(bodies, await restingPositions(early)) > 0.005, 'the tick of the link has no effect')
      })
    })
  },

  async 'the page and jostle-view show a tick at the same places'() {
    const recording = join(temporary, 'balls.jrec')
    execFileSync(join(programs, 'jostle'), ['record', '--scene', ballsScene(temporary), '--ticks', '60', '-o', recording], { stdio: 'ignore' })
    const tick = 40
    for (const viewport of [{ width: 1280, height: 720 }, { width: 1920, height: 1080 }, { width: 390, height: 844 }]) {
      const size = `${viewport.width}x${viewport.height}`
      const [native, own] = ['native', 'page'].map((kind) => join(process.env.JOSTLE_PICTURES ?? temporary, `${kind}-${size}.png`))
      drawNatively(join(programs, 'jostle-view'), recording, tick, viewport, native)
      await inPage('', async (page) => {
        await openReplay(page, recording)
        await page.evaluate((to) => { window.jostle.module.exports.replay_step(0); window.jostle.module.exports.replay_seek(to) }, tick)
        await until('the tick is not shown', 60, async () => (await replayOf(page)).tick === tick)
        // In a high picture, the page has begun farther away than the scene says.
        await page.evaluate((numbers) => window.jostle.module.exports.view_look(...numbers), camera)
        const frames = await framesOf(page)
        await until('no frame after the seek', 60, async () => await framesOf(page) > frames + 2)
        await page.evaluate(() => { for (const node of document.querySelectorAll('body > :not(#view)')) node.style.visibility = 'hidden' })
        await page.screenshot({ path: own, timeout: 240_000 })
        const [expected, found] = [await ballsIn(page, native), await ballsIn(page, own)]
        check(Object.keys(expected).length === 6, `jostle-view shows ${Object.keys(expected)}`)
        for (const [ball, { x, y }] of Object.entries(expected)) {
          const place = found[ball]
          check(place, `${size}: the page does not show the ball '${ball}'`)
          const distance = Math.hypot(place.x - x, place.y - y)
          check(distance <= 2, `${size}: the ball '${ball}' is ${distance.toFixed(1)} pixels away from its place in jostle-view`)
        }
      }, { isFine: true, context: { viewport } })
    }
  },

}

const cameraOf = (page) => page.evaluate(() => window.jostle.module.json(() => window.jostle.module.exports.view_camera()))
/** Returns the camera when it has come to rest. */
async function settledCamera(page) {
  let last = await cameraOf(page)
  await until('the camera does not come to rest', 60, async () => {
    await sleep(400)
    const before = last
    last = await cameraOf(page)
    return distanceOf(last.eye, before.eye) === 0
  })
  return last
}
const distanceOf = (one, two) => (one && two ? Math.hypot(...one.map((value, at) => value - two[at])) : 0)
const focus = (page) => page.evaluate(() => document.getElementById('view').focus())

async function ownBody(page) {
  return page.evaluate(() => {
    const tag = window.jostle.frame?.tags.find((each) => each.isOwn)
    return tag?.body ?? 0
  })
}

/** Positions of all bodies of a paused world as soon as the page has interpolated up to its tick, and nothing moves. */
async function restingPositions(page) {
  let before = await positionsOf(page)
  let still = 0  // looks at new frames without a move
  await until('the paused world moves', 60, async () => {
    const frames = await framesOf(page)
    await until('no frame', 60, async () => await framesOf(page) > frames)
    const now = await positionsOf(page)
    still = largestMove(before, now) === 0 ? still + 1 : 0
    before = now
    return still >= 3
  })
  return before
}

/** Opens a recording in the page. Returns its state. */
async function openReplay(page, file) {
  await waitForWorld(page)
  await page.evaluate(async (bytes) => window.jostle.session.open([new File([new Uint8Array(bytes)], 'page.jrec')], false),
    [...readFileSync(file)])
  return until('the recording does not open', 60, () => replayOf(page))
}

/** Opens a recording in the page, plays it to the end, and steps back. */
async function replay(page, file) {
  const opened = await openReplay(page, file)
  await until('the recording does not play', 60, async () => (await replayOf(page)).tick > opened.first + 10)
  await page.evaluate((last) => window.jostle.module.exports.replay_seek(last), opened.last)
  await until('the end is not reached', 60, async () => (await replayOf(page)).tick === opened.last)
  await page.evaluate(() => { window.jostle.settings.stick = 'on'; window.jostle.applySettings() })
  check(!await page.locator('#stick').isVisible(), 'the stick covers the recording')
  const end = await replayOf(page)
  check(end.matches === true && end.diverged.length === 0, 'the replay differs from the recorded hashes')
  await page.evaluate(() => window.jostle.module.exports.replay_step(-25))
  await until('no step back', 60, async () => (await replayOf(page)).tick === opened.last - 25)
  check((await replayOf(page)).matches === true, 'the earlier tick differs from its recorded hash')
  await page.evaluate(() => window.jostle.session.leaveReplay())
  await until('the world does not come back', 60, async () => (await statusOf(page))?.state === 2)
}

/** Compares a native recording with one that has an injected fault, in the page. */
async function comparesRecordings() {
  const record = (name, ...more) => execFileSync(join(programs, 'jostle'), ['record', '--scene', join(source, 'scenes/crates.scene.json'),
    '--players', '2', '--seed', '7', '--ticks', '120', '-o', join(temporary, name), ...more])
  record('a.jrec')
  record('b.jrec', '--inject', 'ulp:60:37:linear_velocity.y')
  await inPage('', async (page) => {
    await waitForWorld(page)
    const files = ['a.jrec', 'b.jrec'].map((name) => [...readFileSync(join(temporary, name))])
    await page.evaluate(async ([a, b]) => window.jostle.session.open(
      [new File([new Uint8Array(a)], 'a.jrec'), new File([new Uint8Array(b)], 'b.jrec')], false), files)
    const opened = await until('the recordings do not open', 60, () => replayOf(page))
    check(opened.compared && opened.differing[0]?.[0] === 60, `they differ first at ${JSON.stringify(opened.differing)}, not at tick 60`)
    check(opened.faults.includes(60), 'the injected fault is not marked')
    await page.getByRole('button', { name: 'First difference' }).click()
    await until('the first difference is not shown', 60, async () => {
      const now = await replayOf(page)
      return now.tick === 60 && now.differs
    })
  })
}

await run(tests)
await browser.close()
web.stop()
rmSync(temporary, { recursive: true })
