// A TCP proxy that behaves as a slow link: it delays all bytes and limits their rate.
import { connect, createServer } from 'node:net'

/** One direction of the link, which all connections share. */
class Direction {
  #freeMs = 0  // time at which the link has sent all accepted bytes
  constructor(delayMs, bytesPerSecond) {
    this.delayMs = delayMs
    this.bytesPerSecond = bytesPerSecond
  }
  /** Returns the time after which bytes that are sent now have arrived, ms. */
  transfer(bytes) {
    const now = performance.now()
    this.#freeMs = Math.max(this.#freeMs, now) + bytes / this.bytesPerSecond * 1000
    return this.#freeMs - now + this.delayMs
  }
}

/** Passes the bytes of a socket on. Reads no more than the link can take, as a full link would. */
function pass(from, to, direction, firstDelayMs = 0) {
  let waiting = 0
  let lastMs = performance.now() + firstDelayMs
  from.on('data', (bytes) => {
    waiting += bytes.length
    if (waiting > 65_536) from.pause()
    // Timers of one length may run early, so keep the order.
    lastMs = Math.max(lastMs, performance.now() + direction.transfer(bytes.length))
    setTimeout(() => {
      waiting -= bytes.length
      if (waiting <= 65_536) from.resume()
      if (!to.destroyed) to.write(bytes)
    }, lastMs - performance.now())
  })
  from.on('close', () => setTimeout(() => to.end(), Math.max(0, lastMs - performance.now()) + direction.delayMs))
  from.on('error', () => {})
}

/**
 * Opens the proxy in front of 127.0.0.1:port. Returns its port and a function that closes it. The first bytes of a
 * connection wait for another round trip, because the proxy accepts connections at once.
 */
export async function slowLink(port, { roundTripMs, bytesPerSecond }) {
  const up = new Direction(roundTripMs / 2, bytesPerSecond)
  const down = new Direction(roundTripMs / 2, bytesPerSecond)
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    client.setNoDelay()
    target.setNoDelay()
    pass(client, target, up, roundTripMs * 1.5)
    pass(target, client, down)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port, close: () => server.close() }
}
