/**
 * `npm run dev`: Sonde from its sources. Screens reload hot and keep their state (Vite); an edit of other server code
 * starts Sonde again, which takes about a second.
 */
import { spawn } from 'node:child_process'
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies, NODE, ROOT, toolEnv } from './setup.mjs'

ensureDependencies('run')

/** Vite looks after these itself, server code of pages included. */
const HOT = new Set(['web', 'router'])
const SETTLE_MS = 150
let child
let timer
let stopping = false

function start() {
  child = spawn(NODE, [join(ROOT, 'packages/server/src/sonde.ts'), 'start'], {
    stdio: 'inherit',
    env: toolEnv(),
  })
  child.on('exit', (code) => {
    if (stopping) process.exit(code ?? 0)
    process.stdout.write(`\nSonde ended (${code ?? 'killed'}); the next edit starts it again.\n`)
    child = undefined
  })
}

function restart() {
  if (!child) return start()
  const old = child
  old.removeAllListeners('exit')
  old.once('exit', start)
  old.kill('SIGTERM')
}

for (const name of readdirSync(join(ROOT, 'packages'))) {
  if (HOT.has(name)) continue
  watch(join(ROOT, 'packages', name, 'src'), { recursive: true }, (_, file) => {
    if (!file?.endsWith('.ts')) return
    clearTimeout(timer)
    timer = setTimeout(restart, SETTLE_MS)
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopping = true
    if (child) child.kill(signal)
    else process.exit(0)
  })
}
start()
