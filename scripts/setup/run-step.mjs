/**
 * Runs one step of the set-up and shows that it goes on: what it does, how long that usually takes, the seconds until now.
 * `runStep` waits for the step without a promise, because every command begins with it; so this file is also the program
 * that writes the lines meanwhile.
 */
import { spawn, spawnSync } from 'node:child_process'
import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(import.meta.url)
const LINE_EVERY_MS = 10_000
const KEPT_OUTPUT = 20_000

/**
 * `{ title, usually, command, args, cwd, packages }`; `packages` is how many npm fetches. Lines go to `fd`. Returns
 * `{ ok, output, missing }`: the output is silent on success, `missing` says that there is no such program.
 */
export function runStep(step, { env, fd = 1 }) {
  const done = spawnSync(process.execPath, [HERE, JSON.stringify(step)], {
    cwd: step.cwd,
    env,
    stdio: ['ignore', fd, 'inherit', 'pipe'],
  })
  if (done.error) throw done.error
  if (done.signal) process.exit(1)
  return JSON.parse(done.output[3].toString())
}

if (process.argv[1] === HERE) showStep(JSON.parse(process.argv[2]))

function showStep({ title, usually, command, args, packages }) {
  const startedMs = Date.now()
  const isTerminal = process.stdout.isTTY
  let output = ''
  let fetched = 0
  const seconds = () => Math.round((Date.now() - startedMs) / 1000)
  const count = () => (fetched > 0 ? `${Math.min(fetched, packages)} of ${packages} packages fetched, ` : '')

  process.stdout.write(`${title} (usually ${usually})${isTerminal ? '' : ' …\n'}`)
  const timer = setInterval(
    () => {
      const line = `${count()}${seconds()} s`
      process.stdout.write(isTerminal ? `\r\u001b[K${title} (usually ${usually}) … ${line}` : `  … ${line}\n`)
    },
    isTerminal ? 1000 : LINE_EVERY_MS,
  )

  const read = (bytes) => {
    for (const line of bytes.toString().split('\n')) {
      if (!line.startsWith('npm http ')) output = `${output}${line}\n`.slice(-KEPT_OUTPUT)
      else if (line.includes('.tgz')) fetched++
    }
  }
  const end = (result) => {
    clearInterval(timer)
    const text = result.ok ? `done in ${seconds()} s` : `failed after ${seconds()} s`
    process.stdout.write(isTerminal ? `\r\u001b[K${title}: ${text}\n` : `  ${text}\n`)
    writeSync(3, JSON.stringify({ ...result, output: output.trim() }))
  }
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  child.on('error', (error) => end({ ok: false, missing: error.code === 'ENOENT' }))
  child.on('close', (code) => {
    if (child.pid !== undefined) end({ ok: code === 0, missing: false })
  })
}
