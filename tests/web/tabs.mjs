// A Chromium whose background tabs are hidden, as for users. Playwright keeps all of its pages visible.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumOptions, chromiumProgram } from './browser.mjs'

/** Starts Chromium. Returns functions that open a tab and end the program. */
export async function startTabs() {
  const profile = mkdtempSync(join(tmpdir(), 'jostle-tabs-'))
  const program = spawn(chromiumProgram(), ['--headless=new', '--remote-debugging-pipe', '--no-first-run', `--user-data-dir=${profile}`,
    ...chromiumOptions, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const waiting = new Map()
  let received = ''
  let last = 0
  program.stdio[4].on('data', (bytes) => {
    const messages = (received + bytes).split('\0')
    received = messages.pop()
    for (const message of messages.map((text) => JSON.parse(text))) {
      waiting.get(message.id)?.(message)
      waiting.delete(message.id)
    }
  })
  const send = async (method, params = {}, sessionId = undefined) => {
    const { error, result } = await new Promise((resolve) => {
      waiting.set(++last, resolve)
      program.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`)
    })
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  /** Opens a tab in front of the others. */
  async function open(url, script = '') {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
    await send('Page.enable', {}, sessionId)
    if (script) await send('Page.addScriptToEvaluateOnNewDocument', { source: script }, sessionId)
    await send('Page.navigate', { url }, sessionId)
    return {
      show: () => send('Target.activateTarget', { targetId }),
      /** Evaluates an expression in the tab. */
      async run(expression) {
        const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, sessionId)
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
        return result.value
      },
    }
  }

  async function close() {
    const ended = new Promise((resolve) => program.once('exit', resolve))
    await send('Browser.close')
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  return { open, close }
}
