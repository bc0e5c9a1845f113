// node --no-warnings run.mjs PROGRAM ARGUMENT...: runs a WebAssembly program with access to this
// machine's files. Arguments that name a file are made absolute, because WASI has no current
// folder.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import process from 'node:process'
import { WASI } from 'node:wasi'

const args = process.argv.slice(2).map((word) => (existsSync(word) ? resolve(word) : word))
// The program ends in exit() and does not return: Node 20 sometimes crashes if a WebAssembly program
// returns to Node after a long run.
const wasi = new WASI({ version: 'preview1', args, preopens: { '/': '/' }, returnOnExit: false })
const module = await WebAssembly.compile(await readFile(args[0]))
const program = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport })
process.exit(wasi.start(program))
