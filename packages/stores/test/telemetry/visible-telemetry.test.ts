import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { silentLogger, systemClock } from '@sonde/base'
import { openRecords } from '../../src/records/open-records.ts'
import type { OpenRecords } from '../../src/records/records-engine.ts'
import { openTelemetry } from '../../src/telemetry/open-telemetry.ts'
import type { Telemetry } from '../../src/telemetry/telemetry.ts'
import { visibleTelemetry, withoutIssues } from '../../src/telemetry/visible-telemetry.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const MANY = 20_000
const dir = temporaryFolder()

describe('telemetry as people see it', () => {
  let telemetry: Telemetry
  let records: OpenRecords
  let seen: Telemetry
  before(async () => {
    records = await openRecords({ file: join(dir, 'records.db') }, { logger: silentLogger })
    const { db } = records
    telemetry = await openTelemetry(
      { dir: join(dir, 'telemetry') },
      { logger: silentLogger, clock: systemClock },
    )
    seen = visibleTelemetry(telemetry, db)
    for (const table of ['events', 'event_index'])
      await telemetry.command(
        `INSERT INTO ${table} (project_id, issue_id, event_id, timestamp, received)
         SELECT 1, number % 10, toFixedString(lower(hex(MD5(toString(number)))), 32), now(), now() FROM numbers(100)`,
      )
    await db.insertInto('organization').values({ slug: 'acme', name: 'Acme', created_ms: 1 }).execute()
    await db
      .insertInto('project')
      .values({ org_id: 1, slug: 'shop', name: 'shop', platform: 'other', created_ms: 1 })
      .execute()
  })
  after(async () => {
    await telemetry.close()
    await records.close()
  })

  const QUERIES = [
    'SELECT count() AS n FROM events',
    'SELECT count() AS n FROM event_index AS e WHERE e.project_id = {project:UInt32} SETTINGS max_threads = 1',
    'SELECT n FROM (SELECT count() AS n FROM events)',
    'WITH some AS (SELECT event_id FROM events) SELECT count() AS n FROM event_index WHERE event_id IN some',
    'SELECT count() AS n FROM events AS a JOIN event_index AS b ON a.event_id = b.event_id',
    'SELECT sum(n) AS n FROM (SELECT 0 AS n UNION ALL SELECT count() FROM events)',
  ]
  const counts = async (from: Telemetry): Promise<number[]> => {
    const found: number[] = []
    for (const sql of QUERIES)
      found.push(Number((await from.query<{ n: number }>(sql, { project: 1 }))[0]?.n))
    return found
  }

  it('has events of hidden issues in no query, and all of them again', async () => {
    const { db } = records
    assert.deepEqual(
      await counts(seen),
      QUERIES.map(() => 100),
    )
    // The ids of issues here are 1, 2, …; a row of telemetry names one without asking the records.
    const rows = Array.from({ length: 3 }, (_, at) => ({
      project_id: 1,
      short_number: at + 1,
      type: 'error',
      level: 'error',
      title: '',
      culprit: '',
      platform: '',
      metadata: '{}',
      logger: '',
      is_unhandled: 0,
      first_seen_ms: 1,
      last_seen_ms: 1,
      event_count: 1,
      first_release: '',
      last_release: '',
      last_event_id: '',
      created_ms: 1,
    }))
    await db.insertInto('issue').values(rows).execute()
    const { id } = await db
      .insertInto('recently_deleted')
      .values({ kind: 'issues', org_id: 1, project_id: 1, actor: '', count: 3, deleted_ms: 1, purge_ms: 2 })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const issue_id of [1, 2, 3])
      await db.insertInto('hidden_issue').values({ issue_id, deleted_id: id }).execute()
    assert.deepEqual(
      await counts(seen),
      QUERIES.map(() => 70),
    )
    assert.deepEqual(
      await counts(telemetry),
      QUERIES.map(() => 100),
    )
    await db.deleteFrom('recently_deleted').execute()
    assert.deepEqual(
      await counts(seen),
      QUERIES.map(() => 100),
    )
  })

  it('takes many at once', async () => {
    const ids = Array.from({ length: MANY }, (_, at) => at * 3)
    const [row] = await telemetry.query<{ n: number }>(withoutIssues('SELECT count() AS n FROM events', ids))
    assert.equal(row?.n, 60)
  })

  it('says nothing where nothing is hidden', () => {
    assert.equal(withoutIssues('SELECT 1', []), 'SELECT 1')
  })
})
