// Tests of the page without a server about what goes wrong: modules that end, links and files that are not valid, and
// small screens. Part of site_test.mjs.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, framesOf, until, waitForWorld } from './browser.mjs'
import { ballsScene, ownScene } from './pictures.mjs'

/** Returns the tests. `inPage` opens a page; `openReplay` opens a recording in it. */
export const faultTests = ({ inPage, openReplay, programs, temporary }) => ({
  async 'after the end of the worker a new one starts without a reload'() {
    await inPage('#scene=tower', async (page) => {
      await waitForWorld(page, 'tower')
      const message = page.locator('#message')
      const endWorker = (scene) => page.evaluate((name) => {
        const { session } = window.jostle
        window.endedWorker = session.local.worker
        window.endedWorker.terminate()
        session.wantedScene = name
        window.endedWorker.dispatchEvent(new ErrorEvent('error', { message: 'memory access out of bounds' }))
      }, scene)
      // A scene that the user has dropped ends the worker before it is shown.
      await endWorker('too_large')
      const text = await message.innerText()
      check(text.includes('memory access out of bounds') && text.includes('Choose a smaller scene'), `the message is '${text}'`)
      const frames = await framesOf(page)
      await until('no frames', 60, async () => await framesOf(page) > frames + 20)
      check(await message.isVisible(), 'the message does not stay')
      await message.getByRole('button', { name: 'Start tower' }).click()
      await waitForWorld(page, 'tower')
      check(await page.evaluate(() => window.jostle.session.local.worker !== window.endedWorker), 'the worker is the old one')
      await until('the message stays', 60, async () => !await message.isVisible())
      // The shown scene ends the worker.
      await endWorker('')
      await message.getByRole('button', { name: 'Choose a scene' }).click()
      await page.locator('dialog .scenes button', { has: page.locator('strong', { hasText: /^pyramid$/ }) }).click()
      await waitForWorld(page, 'pyramid')
      await endWorker('')
      await page.evaluate((text) => window.jostle.session.open([new File([text], 'own.scene.json')], false), ownScene)
      await waitForWorld(page, 'own')
    })
  },

  async 'after the end of a module of the page a new one starts without a reload'() {
    const fault = 'memory access out of bounds'
    await inPage('#scene=tower', async (page) => {
      await waitForWorld(page, 'tower')
      await page.evaluate(() => {
        window.endedModule = window.jostle.module
        setTimeout(() => window.endedModule.exports.link_message(1, 0xFFFFFFF0, 4096))
      })
      const message = page.locator('#message')
      await until('the end of the module is not shown', 60, async () => await message.isVisible() && (await message.innerText()).includes(fault))
      await message.getByRole('button', { name: 'Start again' }).click()
      await waitForWorld(page, 'tower')
      check(await page.evaluate(() => window.jostle.module !== window.endedModule), 'the module is the old one')
    }, { allowed: [fault] })
  },

  async 'a recording without its end plays, and the page says so'() {
    const file = join(temporary, 'cut.jrec')
    execFileSync(join(programs, 'jostle'), ['record', '--scene', ballsScene(temporary), '--ticks', '60', '-o', file], { stdio: 'ignore' })
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, bytes.length - 1))
    await inPage('', async (page) => {
      const opened = await openReplay(page, file)
      check(opened.cut.includes('this recording has lost its end'), `the state says '${opened.cut}'`)
      await until('no notice', 60, async () => (await page.locator('#notice').innerText()).includes('lost its end'))
      await until('the panel does not say so', 60, async () => (await page.locator('#replay').innerText()).includes('lost its end'))
    })
  },

  async 'on a small wide screen nothing covers the stick or the time line'() {
    const file = join(temporary, 'wide.jrec')
    execFileSync(join(programs, 'jostle'), ['record', '--scene', ballsScene(temporary), '--ticks', '60', '-o', file], { stdio: 'ignore' })
    await inPage('#scene=tower', async (page) => {
      await waitForWorld(page, 'tower')
      const boxOf = (selector) => page.locator(selector).boundingBox()
      const overlaps = (one, two) => one && two && one.x < two.x + two.width && two.x < one.x + one.width && one.y < two.y + two.height && two.y < one.y + one.height
      check(await boxOf('#stick') && await boxOf('#jump'), 'there is no stick')
      for (const control of ['#stick', '#jump'])
        for (const other of ['#bar', '#menu', '#status'])
          check(!overlaps(await boxOf(control), await boxOf(other)), `${other} covers ${control}`)
      await openReplay(page, file)
      await page.evaluate(() => window.jostle.hud.say('a notice with so many words that it takes the whole width of the page, and then some more of them'))
      await page.locator('#replay').waitFor()
      check(!overlaps(await boxOf('#notice'), await boxOf('#replay')), 'the notice covers the time line')
      for (const other of ['#bar', '#menu']) check(!overlaps(await boxOf('#replay'), await boxOf(other)), `${other} covers the time line`)
    }, { context: { hasTouch: true, isMobile: true, viewport: { width: 844, height: 390 } } })
  },

  async 'values that are not valid are refused with one message'() {
    await inPage('#scene=nonsense&camera=a,b&tick=4000000000&room=zzz', async (page) => {
      await waitForWorld(page, 'crates')
      const notice = await until('no message', 60, () => page.locator('#notice').innerText())
      for (const part of ["tick '4000000000' is not used; accepted: whole numbers from 0 to 36000", "camera 'a,b' is not used; accepted: six numbers",
        "no scene 'nonsense'", "No other tab has the room 'zzz'"])
        check(notice.includes(part), `'${part}' is not in '${notice}'`)
      await page.evaluate(async () => window.jostle.session.open([new File(['no recording'], 'a.jrec')], false))
      await until('no message', 60, async () => (await page.locator('#notice').innerText()).includes('no recording'))
      await page.evaluate(async () => window.jostle.session.open([new File(['{ "bodys": [] }'], 'a.scene.json')], false))
      await until('no message', 60, async () => (await page.locator('#notice').innerText()).includes('bodys'))
    })
  },
})
