/** A backup under load, and what was restored from it: every row is there once, and what arrives afterwards too. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiClient, createProject } from '../harness/api-client.ts'
import {
  SONDE,
  sonde,
  sondeEnv,
  sondeJson,
  startSonde,
  temporaryDataDir,
  WITHOUT_SPIKE_LIMITS,
} from '../harness/start-sonde.ts'
import { storeAll } from '../harness/store-all.ts'
import { storedEventIds } from '../harness/stored-events.ts'
import type { TableHashes } from './hash-tables.ts'
import { assertNothingLost, drained } from './nothing-lost.ts'
import { startSender, underLoad } from './sender.ts'
import { dataFolderNames, unpackDataFolder } from './upgrade/data-folder.ts'

const RATE_PER_SEC = 200

type Said = {
  readonly ok: boolean
  readonly id: string
  readonly bytes: number
  readonly newBytes: number
  readonly storedBytes: number
  readonly pausedMs: number
  readonly counts: {
    readonly records: Readonly<Record<string, number>>
    readonly telemetry: Readonly<Record<string, number>>
  }
}

void test('what was backed up under load is restored whole, and goes on without a doubled or lost event', async (context) => {
  const [data, restored, place] = [temporaryDataDir(), temporaryDataDir(), temporaryDataDir()]
  // Which has one of everything that SDKs send.
  unpackDataFolder(dataFolderNames().at(-1) ?? '', data.dir)
  const dataDir = join(data.dir, 'data')
  const key = join(place.dir, 'key')
  const to = join(place.dir, 'backups')
  const env = { ...WITHOUT_SPIKE_LIMITS, SONDE_RETENTION_DAYS: '3650', SONDE_BACKUP_KEY_FILE: key }
  let running = await startSonde({ dataDir, env })
  const project = createProject(running, 'acme/desk')
  await storeAll(running, project)
  const sender = await startSender(running.port, project)
  try {
    sondeJson(dataDir, ['backup', 'key', '--out', key])
    sender.start({ connections: 8, ratePerSec: RATE_PER_SEC })
    await underLoad(sender, 2 * RATE_PER_SEC)
    const before = new Set(sender.acknowledged)
    const first = sondeJson<Said>(dataDir, ['backup', 'create', '--to', to], env)
    assert.ok(first.ok && first.bytes > 0)
    // In the middle of the next one everything dies; the one before stays whole.
    const interrupted = spawn(process.execPath, [SONDE, 'backup', 'create', '--to', to], {
      env: sondeEnv(dataDir, env),
      stdio: 'ignore',
    })
    const died = new Promise((resolve) => interrupted.once('exit', resolve))
    await begun(to)
    await running.kill()
    await died
    assert.deepEqual(
      idsIn(to, dataDir, env).filter((id) => id === first.id),
      [first.id],
    )
    await sender.stop()
    running = await startSonde({ dataDir, env, port: running.port })
    sender.start({ connections: 8, ratePerSec: RATE_PER_SEC })
    await underLoad(sender, RATE_PER_SEC)
    const atSecond = new Set(sender.acknowledged)
    const second = sondeJson<Said>(dataDir, ['backup', 'create', '--to', to], env)
    await underLoad(sender, RATE_PER_SEC)
    await sender.stop()
    context.diagnostic(
      `held for ${first.pausedMs} and ${second.pausedMs} ms; ${first.newBytes} and ${second.newBytes} bytes written for ${first.bytes} and ${second.bytes}`,
    )
    await running.kill()
    assertSealed(to)

    const verified = sonde(dataDir, ['backup', 'verify', first.id, '--from', to], env)
    assert.equal(verified.code, 0, verified.stdout + verified.stderr)
    const into = join(restored.dir, 'data')
    const done = sondeJson<Said>(into, ['restore', '--from', to], env)
    assert.equal(done.id, second.id)
    assert.deepEqual(done.counts, second.counts)
    assert.deepEqual(recordCounts(into, Object.keys(second.counts.records)), {
      ...second.counts.records,
      // What does not outlive its process is not taken along.
      ...forgotten(second.counts.records, into),
    })
    const again = sonde(into, ['restore', '--from', to], env)
    assert.equal(again.code, 1)
    assert.match(again.stderr, /is not empty/)

    running = await startSonde({ dataDir: into, env, port: running.port })
    await drained(running)
    const api = apiClient(running)
    const stored = await storedEventIds(api, project)
    const ids = new Set(stored)
    assert.equal(stored.length, ids.size, 'an event is stored twice')
    const lost = [...atSecond].filter((id) => !ids.has(id))
    assert.deepEqual(lost, [], `${lost.length} events that were acknowledged before the backup are missing`)
    assert.ok([...before].every((id) => ids.has(id)))

    // What came after the backup is gone with the old folder; from here on nothing is.
    const lostWithDisk = [...sender.acknowledged].filter((id) => !ids.has(id))
    for (const id of lostWithDisk) (sender.acknowledged as Set<string>).delete(id)
    sender.start({ connections: 8, ratePerSec: RATE_PER_SEC })
    await underLoad(sender, RATE_PER_SEC)
    await sender.stop()
    await drained(running)
    await assertNothingLost(api, project, sender)
    assert.equal(await running.stop(), 0)

    // Stopped, the command makes one itself; a damaged one is found and named; prune leaves what is kept whole.
    const third = sondeJson<Said>(into, ['backup', 'create', '--to', to], env)
    const pruned = sondeJson<{ removed: string[]; kept: string[] }>(
      into,
      ['backup', 'prune', '--keep-last', '1', '--from', to],
      env,
    )
    assert.deepEqual(pruned.kept, [third.id])
    const whole = join(restored.dir, 'whole')
    sondeJson<Said>(whole, ['restore', '--from', to], env)
    const [hashes, original] = [hashesOf(whole), hashesOf(into)]
    assert.deepEqual(hashes, original, 'every table has the same rows')
    context.diagnostic(`the same rows: ${Object.values(hashes).flatMap(Object.keys).length} tables`)
    const broken = flipOneBit(to)
    const bad = sonde(into, ['backup', 'verify', '--quick', '--from', to, '--json'], env)
    assert.equal(bad.code, 1)
    const said = JSON.parse(bad.stdout) as { ok: boolean; damaged: string[] }
    assert.equal(said.ok, false)
    assert.match(said.damaged.join('\n'), new RegExp(broken))
    const refused = sonde(join(restored.dir, 'other'), ['backup', 'restore', '--from', to], env)
    assert.equal(refused.code, 1)
    const started = sonde(join(restored.dir, 'other'), ['start'], env)
    assert.match(started.stderr, /a restore into .* was interrupted or failed/)
  } finally {
    running.child.kill('SIGKILL')
    sender.close()
    for (const each of [data, restored, place]) each.remove()
  }
})

/** A lock lies there as long as one is being made. */
async function begun(to: string): Promise<void> {
  const endMs = Date.now() + 20_000
  for (;;) {
    if (existsSync(join(to, 'locks')) && readdirSync(join(to, 'locks')).length > 0) return
    assert.ok(Date.now() < endMs, 'the backup did not begin')
    await sleep(5)
  }
}

function idsIn(to: string, dataDir: string, env: NodeJS.ProcessEnv): string[] {
  const { backups } = sondeJson<{ backups: { id: string }[] }>(dataDir, ['backup', 'list', '--from', to], env)
  return backups.map(({ id }) => id)
}

function assertSealed(to: string): void {
  for (const path of objectsIn(to)) {
    const bytes = readFileSync(path)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), path.slice(path.lastIndexOf('/') + 1))
    assert.ok(!bytes.includes('BenchError'), 'a title lies there in the clear')
  }
}

const objectsIn = (to: string): string[] =>
  readdirSync(join(to, 'objects'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(to, 'objects', name))
    .filter((path) => statSync(path).isFile())

function flipOneBit(to: string): string {
  const [largest = ''] = objectsIn(to).toSorted((a, b) => statSync(b).size - statSync(a).size)
  const bytes = readFileSync(largest)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  rmSync(largest)
  writeFileSync(largest, bytes)
  return largest.slice(largest.lastIndexOf('/') + 1)
}

function recordCounts(dataDir: string, tables: readonly string[]): Record<string, number> {
  const database = new DatabaseSync(join(dataDir, 'records.sqlite'), { readOnly: true })
  try {
    return Object.fromEntries(
      tables.map((table) => [
        table,
        Number(database.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.['n']),
      ]),
    )
  } finally {
    database.close()
  }
}

/** Of processes that are not there any more. */
const NOT_TAKEN = ['backup_run', 'job_lease', 'node']

function hashesOf(dataDir: string): Record<'records' | 'telemetry', TableHashes> {
  const child = join(import.meta.dirname, 'hash-tables.ts')
  const done = spawnSync(process.execPath, ['--conditions=@sonde/source', child, dataDir], {
    encoding: 'utf8',
  })
  assert.equal(done.status, 0, done.stderr)
  const { records, telemetry } = JSON.parse(done.stdout) as Record<'records' | 'telemetry', TableHashes>
  for (const table of ['events', 'spans', 'vitals', 'logs', 'metrics', 'replays', 'profiles', 'sessions'])
    assert.match(telemetry[table] ?? '', /^[1-9]\d* rows, /, table)
  return {
    records: Object.fromEntries(Object.entries(records).filter(([table]) => !NOT_TAKEN.includes(table))),
    telemetry,
  }
}

function forgotten(counts: Readonly<Record<string, number>>, dataDir: string): Record<string, number> {
  const found = recordCounts(dataDir, ['job_lease', 'backup_run'])
  assert.equal(found['job_lease'], 0)
  assert.equal(found['backup_run'], (counts['backup_run'] ?? 0) - 1, 'the run that made it had not ended')
  return found
}
