// node build.mjs OUT MODE WASM_FOLDER [SCENES]: bundles the page into the folder OUT. MODE is gate (for a
// server's gate) or site (without a server, with the scenes of the folder SCENES).
import { build } from 'esbuild'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import process from 'node:process'

const [out, mode, wasm] = process.argv.slice(2)
if (!out || !['gate', 'site'].includes(mode) || !wasm) {
  process.stderr.write('usage: node build.mjs OUT gate|site WASM_FOLDER [SCENES]\n')
  process.exit(2)
}
const here = dirname(fileURLToPath(import.meta.url))
mkdirSync(out, { recursive: true })
await build({
  entryPoints: { app: join(here, 'src/app.ts'), worker: join(here, 'src/worker.ts') },
  bundle: true, format: 'esm', target: 'es2022', minify: true, outdir: out, legalComments: 'external',
  tsconfig: join(here, 'tsconfig.json'), logLevel: 'warning',
})
const html = readFileSync(join(here, 'index.html'), 'utf8')
writeFileSync(join(out, 'index.html'), html.replace('name="jostle-mode" content="gate"', `name="jostle-mode" content="${mode}"`))
for (const file of ['style.css', 'icon.svg']) cpSync(join(here, file), join(out, file))
for (const name of ['jostle_client.wasm', 'jostle_engine.wasm']) cpSync(join(wasm, name), join(out, name))
// Compressed files beside the large ones, for hosts that serve them.
for (const name of ['app.js', 'worker.js', 'style.css', 'jostle_client.wasm', 'jostle_engine.wasm'])
  writeFileSync(join(out, `${name}.gz`), gzipSync(readFileSync(join(out, name)), { level: 9 }))

if (mode === 'site') {
  const { default: typescript } = await import('typescript')
  const scenes = process.argv[5]
  if (!scenes) {
    process.stderr.write('build.mjs: a site needs the folder of the scenes as the fourth argument\n')
    process.exit(2)
  }
  mkdirSync(join(out, 'scenes'), { recursive: true })
  mkdirSync(join(out, 'pictures'), { recursive: true })
  const suffix = '.scene.json'
  const list = readdirSync(scenes).filter((file) => file.endsWith(suffix)).sort().map((file) => {
    const name = file.slice(0, -suffix.length)
    // Scene files may have comments, as the files of TypeScript's settings.
    const text = readFileSync(join(scenes, file), 'utf8')
    const { config, error } = typescript.parseConfigFileTextToJson(file, text)
    if (error) throw new Error(`${file}: ${typescript.flattenDiagnosticMessageText(error.messageText, '\n')}`)
    cpSync(join(scenes, file), join(out, 'scenes', file))
    const picture = join(scenes, 'pictures', `${name}.png`)
    if (!existsSync(picture)) return { name, description: config.description ?? '' }
    cpSync(picture, join(out, 'pictures', `${name}.png`))
    return { name, description: config.description ?? '', picture: `pictures/${name}.png` }
  })
  writeFileSync(join(out, 'site.json'), JSON.stringify({ scenes: list }))
}
