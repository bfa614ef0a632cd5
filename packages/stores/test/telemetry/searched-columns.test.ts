/** Events from before a column has its values: as they are read at once, and once they are rewritten. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLogger, systemClock } from '@sonde/base'
import { encodeEventRow, type EventFields, withIssueId } from '@sonde/stores'
import { openEmbedded } from '../../src/telemetry/embedded/open-embedded.ts'
import { applyMigrations, migrateTelemetry } from '../../src/telemetry/migrate.ts'
import { MIGRATIONS } from '../../src/telemetry/migrations.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const EMPTY = {
  type: 'error',
  level: 'error',
  platform: 'node',
  release: '',
  dist: '',
  environment: '',
} as const
const NOTHING = {
  transaction: '',
  title: '',
  culprit: '',
  exceptionType: '',
  exceptionValue: '',
  message: '',
}
const UNKNOWN = { handled: '', userKey: '', sdkName: '', sdkVersion: '', traceId: '', spanId: '', url: '' }

function event(at: number, browser: string, user: object): EventFields {
  const atMs = Date.now() + at
  const ids = { projectId: 1, eventId: String(at).padStart(32, '0'), logPosition: at, itemIndex: 0 }
  const payload = JSON.stringify({ user })
  const tags = { 'browser.name': browser, plan: 'team' }
  const times = { timestampMs: atMs, receivedMs: atMs }
  return {
    ...EMPTY,
    ...NOTHING,
    ...UNKNOWN,
    ...ids,
    ...times,
    tags,
    hashes: [],
    debugIds: [],
    unreadable: '',
    revision: 0,
    payload,
  }
}

test('columns of what is searched have the values of events from before them too', async () => {
  const engine = await openEmbedded(join(temporaryFolder(), 'telemetry'), 512 * 1024 * 1024)
  after(() => engine.close())
  const needs = { clock: systemClock, logger: silentLogger, retentionDays: 90 }
  const before = MIGRATIONS.findIndex(({ name }) => name === '0007-searched-columns')
  assert.ok(before > 0)
  // Columns that rows are written with today, whenever they were added.
  const written = MIGRATIONS.filter(({ name }) => name === '0013-readable')
  await applyMigrations(engine, needs, [...MIGRATIONS.slice(0, before), ...written])
  await engine.command(
    'ALTER TABLE events ADD COLUMN log_partition UInt32, ADD COLUMN left_out UInt32, ADD COLUMN left_out_users Array(UInt32)',
  )
  const insert = (fields: EventFields): Promise<void> =>
    engine.insert('events', [withIssueId(encodeEventRow(fields), 7)], fields.eventId)
  await insert(event(1, 'Firefox', { email: 'ada@acme.test', ip_address: '203.0.113.7' }))
  await migrateTelemetry(engine, needs)
  await insert(event(2, 'Chrome', { username: 'bo' }))
  const read = () =>
    engine.query(
      `SELECT browser_name AS browser, user_email AS email, user_username AS name, user_ip AS ip, tags['plan'] AS plan
       FROM events ORDER BY event_id`,
    )
  const expected = [
    { browser: 'Firefox', email: 'ada@acme.test', name: '', ip: '203.0.113.7', plan: 'team' },
    { browser: 'Chrome', email: '', name: 'bo', ip: '', plan: 'team' },
  ]
  assert.deepEqual(await read(), expected)
  await engine.command('OPTIMIZE TABLE events FINAL')
  assert.deepEqual(await read(), expected)
  const [mutations] = await engine.query<{ failed: number }>(
    `SELECT countIf(latest_fail_reason != '') AS failed FROM system.mutations WHERE table = 'events'`,
  )
  assert.equal(mutations?.failed, 0)
})
