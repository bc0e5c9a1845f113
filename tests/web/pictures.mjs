// Comparison of pictures, with ImageMagick.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'

/**
 * Compares a picture with a stored one. Fails if more than `share` of the pixels differ by more than
 * a tenth of the range of colours. JOSTLE_WRITE_PICTURES=1 stores the picture instead.
 */
export function comparePicture(found, stored, share) {
  if (process.env.JOSTLE_WRITE_PICTURES) {
    mkdirSync(dirname(stored), { recursive: true })
    copyFileSync(found, stored)
    return
  }
  if (!existsSync(stored)) throw new Error(`there is no picture ${stored}; JOSTLE_WRITE_PICTURES=1 writes it`)
  const compared = spawnSync('compare', ['-metric', 'AE', '-fuzz', '10%', found, stored, 'null:'], { encoding: 'utf8' })
  if (compared.error) throw compared.error
  const different = Number.parseFloat(compared.stderr)
  const size = spawnSync('identify', ['-format', '%[fx:w*h]', stored], { encoding: 'utf8' })
  const pixels = Number(size.stdout)
  if (!(different <= share * pixels))
    throw new Error(`${different} of ${pixels} pixels differ from ${stored} (${compared.stderr.trim()})`)
}
