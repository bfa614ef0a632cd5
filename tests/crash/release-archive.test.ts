/**
 * What `npm run pack` packs, and the Dockerfile calls it for the image, starts from an empty folder, with no program but Node
 * to be found, also as a user who may not write there.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { stageArchive } from '../../scripts/pack/stage-archive.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const READY_WITHIN_MS = 30_000
/** `nobody`, where we may choose. Otherwise we are the owner, and take the right to write from ourselves. */
const STRANGER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

describe('a release archive', () => {
  // Outside of the repository, where nothing above has a node_modules.
  const scratch = mkdtempSync(join(tmpdir(), 'sonde-archive-'))
  const program = join(scratch, 'sonde')
  const bin = join(scratch, 'bin')
  after(() => {
    setFolderModes(program, 0o755)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })
  stageArchive(ROOT, program)
  mkdirSync(bin)
  linkOrCopy(process.execPath, join(bin, 'node'))

  const use = async (data: string, user: { readonly uid?: number; readonly gid?: number }) => {
    const env = { PATH: bin, PORT: '0', SONDE_DATA_DIR: data, SONDE_SELF_REPORT: 'off' }
    const place = { cwd: program, env, ...user }
    const child = spawn('node', ['sonde.mjs', 'start'], { ...place, stdio: ['ignore', 'pipe', 'pipe'] })
    try {
      const output = await untilReady(child)
      const url = /Sonde is ready on (\S+)/.exec(output)?.[1] ?? ''
      const dsn = new URL(/DSN +(\S+)/.exec(output)?.[1] ?? '')
      assert.equal((await fetch(url)).status, 200)
      assert.equal((await fetch(`${url}/sonde.js`)).status, 200)
      assert.match(await (await fetch(`${url}/docs/operate/backup`)).text(), /<h1>Backup and restore<\/h1>/)
      const item = JSON.stringify({ message: 'from an archive' })
      const body = `{}\n{"type":"event","length":${item.length}}\n${item}`
      const to = `${url}/api${dsn.pathname}/envelope/?sentry_key=${dsn.username}`
      assert.equal((await fetch(to, { method: 'POST', body })).status, 200)
      assert.equal((await fetch(`${url}/readyz`)).status, 200)
      const doctor = spawnSync('node', ['sonde.mjs', 'doctor'], { ...place, encoding: 'utf8' })
      assert.equal(doctor.status, 0, doctor.stdout + doctor.stderr)
    } finally {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    }
    assert.equal(child.exitCode, 0)
  }

  test('starts with Node alone, takes an event and shows the screens', () => use(join(scratch, 'data'), {}))

  test('does so as a user who may not write to it, as in the image', async () => {
    const data = join(scratch, 'data-of-a-stranger')
    mkdirSync(data, { mode: 0o700 })
    if (STRANGER.uid !== undefined) chownSync(data, STRANGER.uid, STRANGER.gid)
    chmodSync(scratch, 0o755)
    setFolderModes(program, 0o555)
    await use(data, STRANGER)
  })

  test('has the licences of what it contains', () => {
    const notices = readFileSync(join(program, 'NOTICES.txt'), 'utf8')
    for (const name of ['chdb ', 'kysely ', 'react ', 'hono ', 'minisearch '])
      assert.ok(notices.includes(`\n${name}`), name)
    assert.ok(!notices.includes('(undefined)'))
  })
})

/** Of folders alone: large files share their mode with the installed ones. */
function setFolderModes(folder: string, mode: number): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) setFolderModes(join(folder, entry.name), mode)
  chmodSync(folder, mode)
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // Another file system.
    cpSync(from, to)
  }
}

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
