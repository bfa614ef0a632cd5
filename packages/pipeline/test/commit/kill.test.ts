/** `kill -9` while events pour in: guarantee G2, with the processes as they are in production, on the engines of the environment. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { silentLogger as logger } from '@sonde/base'
import { encodeIntakeRecord } from '@sonde/log'
import { openBlobs, openRecords, openTelemetry, type Records, type RecordsPlace } from '@sonde/stores'
import { createRecords, createTelemetry } from '../../../../tests/harness/engines.ts'
import { createLog, openWriter } from '../../../../tests/harness/test-log.ts'
import { errorEnvelope, eventIdOf, until } from './harness.ts'
import type { KillPlaces } from './kill-child.ts'

const KILLS = 6
const KINDS = 7
const FILES_EVERY = 5
const SAME = 'every event has this one'

it('kill -9 of the pipeline, again and again, loses nothing and doubles nothing', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-kill-'))
  const { remove, ...records } = await createRecords(dir)
  const places: KillPlaces = {
    dir,
    records,
    telemetry: await createTelemetry(join(dir, 'telemetry')),
    log: await createLog(dir),
  }
  const projectId = await createProject(records)
  const writer = await openWriter(places.log)
  let sent = 0
  const pouring = new AbortController()
  const pour = async (): Promise<void> => {
    while (!pouring.signal.aborted) {
      const burst = Array.from({ length: 10 }, () => {
        const id = sent++
        const meta = {
          v: 1,
          kind: 'envelope',
          receivedMs: Date.now(),
          projectId,
          keyId: 1,
          eventId: eventIdOf(id),
        } as const
        const body = errorEnvelope(id, `Kind${id % KINDS}`) + filesOf(id)
        return writer.append(encodeIntakeRecord(meta, Buffer.from(body)))
      })
      await Promise.all(burst)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const poured = pour()
  for (let kill = 0; kill < KILLS; kill++) {
    const child = startChild(places)
    await once(child, 'message')
    // Anywhere within a commit: from before its first step to after its last.
    await new Promise((resolve) => setTimeout(resolve, 30 + kill * 37))
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  pouring.abort()
  await poured
  const last = startChild(places)
  let position = 0
  last.on('message', (at) => (position = Number(at)))
  await until(() => position >= writer.stats().durablePosition, 'everything is committed', 30_000)
  last.kill('SIGTERM')
  assert.deepEqual(await once(last, 'exit'), [0, null])
  await writer.close()

  const telemetry = await openTelemetry(places.telemetry, { logger })
  const count = (what: string, table: string) =>
    telemetry.query<{ n: number }>(`SELECT ${what} AS n FROM ${table}`).then((rows) => Number(rows[0]?.n))
  assert.ok(sent > 100)
  assert.equal(await count('count()', 'events'), sent)
  assert.equal(await count('uniqExact(event_id)', 'events'), sent)
  assert.equal(await count('count()', 'event_index'), sent)
  const files = Math.ceil(sent / FILES_EVERY) * 2
  assert.equal(await count('sum(quantity)', 'outcomes'), sent + files)
  await telemetry.close()
  const { db, close } = await openRecords(records, { logger })
  const issues = await db
    .selectFrom('issue')
    .select(['short_number', 'event_count'])
    .orderBy('short_number')
    .execute()
  assert.deepEqual(
    issues.map((issue) => issue.short_number),
    Array.from({ length: KINDS }, (_, at) => at + 1),
  )
  assert.equal(
    issues.reduce((sum, issue) => sum + issue.event_count, 0),
    sent,
  )
  await assertFiles(dir, db, files)
  await close()
  await remove()
  await rm(dir, { recursive: true, force: true })
})

/** Some events have two files: one that all share, one of their own. */
function filesOf(id: number): string {
  if (id % FILES_EVERY !== 0) return ''
  const item = (name: string, text: string) =>
    `{"type":"attachment","filename":"${name}","length":${text.length}}\n${text}\n`
  return item('same', SAME) + item('own', `own ${id}`)
}

/** Each row once, with its bytes, and no file that no row names. */
async function assertFiles(dir: string, db: Records, expected: number): Promise<void> {
  const rows = await db.selectFrom('attachment').select(['event_id', 'name', 'blob']).execute()
  assert.equal(rows.length, expected)
  assert.equal(new Set(rows.map((row) => `${row.event_id} ${row.name}`)).size, expected)
  const blobs = openBlobs({ dir: join(dir, 'blobs') })
  for (const { event_id: eventId, name, blob } of rows) {
    const text = Buffer.from((await blobs.get(blob)) ?? []).toString()
    assert.equal(text, name === 'same' ? SAME : `own ${Number.parseInt(eventId, 16)}`)
  }
  const names = new Set<string>()
  for await (const { name } of blobs.list('attachments/')) names.add(name)
  assert.deepEqual(names, new Set(rows.map((row) => row.blob)))
  assert.equal(names.size, expected / 2 + 1)
}

function startChild(places: KillPlaces): ChildProcess {
  return fork(new URL('kill-child.ts', import.meta.url), [JSON.stringify(places)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function createProject(place: RecordsPlace): Promise<number> {
  const { db, close } = await openRecords(place, { logger })
  const org = { slug: 'a', name: 'a', created_ms: 0 }
  const { id: orgId } = await db
    .insertInto('organization')
    .values(org)
    .returning('id')
    .executeTakeFirstOrThrow()
  const values = { org_id: orgId, slug: 'p', name: 'p', platform: 'node', created_ms: 0 }
  const project = await db.insertInto('project').values(values).returning('id').executeTakeFirstOrThrow()
  // On a busy machine more come of an issue than are stored in full.
  await db
    .insertInto('project_setting')
    .values({
      project_id: project.id,
      value: JSON.stringify({ noise: { fullPerDay: 0 } }),
      rate_limit_count: null,
      rate_limit_window_sec: null,
      updated_ms: 0,
    })
    .execute()
  await close()
  return project.id
}
