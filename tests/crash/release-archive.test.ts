/** What `npm run pack` packs starts from an empty folder, with no program but Node to be found. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { stageArchive } from '../../scripts/pack/stage-archive.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const READY_WITHIN_MS = 30_000

describe('a release archive', () => {
  // Outside of the repository, where nothing above has a node_modules.
  const scratch = mkdtempSync(join(tmpdir(), 'sonde-archive-'))
  const program = join(scratch, 'sonde')
  const bin = join(scratch, 'bin')
  const env = { PATH: bin, PORT: '0', SONDE_DATA_DIR: join(scratch, 'data'), SONDE_SELF_REPORT: 'off' }
  after(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  stageArchive(ROOT, program)
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))

  test('starts with Node alone, takes an event and shows the screens', async () => {
    const child = spawn('node', ['sonde.mjs', 'start'], {
      cwd: program,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      const output = await untilReady(child)
      const url = /Sonde is ready on (\S+)/.exec(output)?.[1] ?? ''
      const dsn = new URL(/DSN +(\S+)/.exec(output)?.[1] ?? '')
      assert.equal((await fetch(url)).status, 200)
      assert.equal((await fetch(`${url}/sonde.js`)).status, 200)
      const item = JSON.stringify({ message: 'from an archive' })
      const body = `{}\n{"type":"event","length":${item.length}}\n${item}`
      const to = `${url}/api${dsn.pathname}/envelope/?sentry_key=${dsn.username}`
      assert.equal((await fetch(to, { method: 'POST', body })).status, 200)
      const doctor = spawnSync('node', ['sonde.mjs', 'doctor'], { cwd: program, env, encoding: 'utf8' })
      assert.equal(doctor.status, 0, doctor.stdout + doctor.stderr)
    } finally {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    }
  })

  test('has the licences of what it contains', () => {
    const notices = readFileSync(join(program, 'NOTICES.txt'), 'utf8')
    for (const name of ['chdb ', 'kysely ', 'react ', 'hono ']) assert.ok(notices.includes(`\n${name}`), name)
    assert.ok(!notices.includes('(undefined)'))
  })
})

function untilReady(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const give = (): void => reject(new Error(`the archive did not start:\n${output}`))
    const timer = setTimeout(give, READY_WITHIN_MS)
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      if (!/DSN +\S+/.test(output)) return
      clearTimeout(timer)
      resolve(output)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', give)
  })
}
