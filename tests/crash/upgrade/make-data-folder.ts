/**
 * `npm run data-folder -- NAME [--source FOLDER]`: starts the Sonde of a source tree (this one by default) in a new data
 * folder, sends it one of everything, stops it, and keeps the folder as `fixtures/data-folders/NAME.tar.zst`. Once for
 * each release, before the next migration is written.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { OWNER } from '../../harness/start-sonde.ts'
import { recordsContent, telemetryContent } from './count-rows.ts'
import { packDataFolder } from './data-folder.ts'
import { keepHashes } from './released-steps.ts'
import { sendEverything, uploadMaps } from './send-everything.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const STORED_WITHIN_MS = 60_000
/** Jobs that follow the pipeline, such as the one of monitors, come by every few seconds. */
const QUIET_MS = 5_000

const { values, positionals } = parseArgs({
  options: { source: { type: 'string', default: ROOT }, revision: { type: 'string' } },
  allowPositionals: true,
})
const [name] = positionals
if (name === undefined || !/^\d{4}-\d\d-\d\d-[a-z0-9.-]+$/.test(name))
  throw new Error('say its name: the date and what it is of, such as 2026-12-01-0.2.0')
const source = resolve(values.source)
const revision =
  values.revision ?? spawnSync('git', ['rev-parse', 'HEAD'], { cwd: source, encoding: 'utf8' }).stdout.trim()

const folder = mkdtempSync(join(tmpdir(), 'sonde-fixture-'))
const dataDir = join(folder, 'data')
const program = [
  ...(source === ROOT ? ['--conditions=@sonde/source'] : []),
  join(source, 'packages', 'server', 'src', 'sonde.ts'),
]
const env = (port = '0'): NodeJS.ProcessEnv => ({
  ...process.env,
  HOST: '127.0.0.1',
  PORT: port,
  SONDE_DATA_DIR: dataDir,
  SONDE_OWNER_EMAIL: OWNER.email,
  SONDE_OWNER_PASSWORD: OWNER.password,
  SONDE_SELF_REPORT: 'off',
})

const child = spawn(process.execPath, [...program, 'start'], {
  cwd: source,
  env: env(),
  stdio: ['ignore', 'pipe', 'inherit'],
})
const exited = once(child, 'exit')
try {
  const url = await ready(child)
  const port = new URL(url).port
  const sonde = <Answer>(...args: string[]): Answer => {
    const done = spawnSync(process.execPath, [...program, ...args, '--json'], {
      cwd: source,
      env: env(port),
      encoding: 'utf8',
    })
    if (done.status !== 0)
      throw new Error(`sonde ${args.join(' ')} ended with ${done.status}: ${done.stderr}`)
    return JSON.parse(done.stdout) as Answer
  }
  const { id: projectId, dsn } = sonde<{ id: string; dsn: string }>('project', 'create', 'acme/shop')
  const { token } = sonde<{ token: string }>(
    'token',
    'create',
    '--name',
    'fixture',
    '--scopes',
    'project:releases',
  )
  const hasSourceMaps = await uploadMaps(url, token, 'acme/shop')
  const sent = await sendEverything({ url, dsn, projectId }, 'acme', 'shop')
  await stored(sonde)
  child.kill('SIGTERM')
  const [code] = await exited
  if (code !== 0) throw new Error(`Sonde ended with ${code}`)
  tidy()
  const manifest = {
    name,
    revision,
    sent: { ...sent, hasSourceMaps },
    records: recordsContent(dataDir),
    telemetry: await telemetryContent(dataDir),
  }
  rmSync(join(dataDir, 'telemetry', 'status'), { force: true })
  keepHashes(manifest)
  const bytes = packDataFolder(folder, manifest)
  console.log(JSON.stringify(manifest, null, 2))
  console.log(`${name}: ${bytes} bytes`)
} finally {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function ready(started: ChildProcess): Promise<string> {
  let output = ''
  for await (const chunk of started.stdout ?? []) {
    output += String(chunk)
    const found = /Sonde is ready on (http:\/\/\S+)/.exec(output)
    if (found?.[1] !== undefined) {
      // Or it would stand still when nobody reads what it prints.
      started.stdout?.on('data', () => undefined)
      return found[1]
    }
  }
  throw new Error(`Sonde ended before it was ready\n${output}`)
}

async function stored(sonde: <Answer>(...args: string[]) => Answer): Promise<void> {
  const endMs = Date.now() + STORED_WITHIN_MS
  for (;;) {
    const { log, deadLetters } = sonde<{ log: { depthBytes: number }; deadLetters: number }>('doctor')
    if (deadLetters > 0)
      throw new Error(`${deadLetters} dead letters: the version could not process what it took`)
    if (log.depthBytes === 0) break
    if (Date.now() > endMs) throw new Error(`${log.depthBytes} bytes still wait in the log`)
    await sleep(200)
  }
  await sleep(QUIET_MS)
}

/** What is made again at the next start, and what only this machine knows. */
function tidy(): void {
  const database = new DatabaseSync(join(dataDir, 'records.sqlite'))
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  for (const left of ['internal.sock', 'cache'])
    if (existsSync(join(dataDir, left))) rmSync(join(dataDir, left), { recursive: true })
  chmodSync(dataDir, 0o700)
}
