/** Spans from before their weeks were summed up: summed up too, in the background, however often a start is interrupted. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger, systemClock } from '@sonde/base'
import { openEmbedded } from '../../src/telemetry/embedded/open-embedded.ts'
import { applyMigrations, migrateTelemetry } from '../../src/telemetry/migrate.ts'
import { MIGRATIONS } from '../../src/telemetry/migrations.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const SUMMED = `SELECT toUInt32(countMerge(\`count()\`)) AS spans FROM mergeTreeProjection(currentDatabase(), 'spans', 'by_week')`
const GIVE_UP_AFTER_MS = 60_000

test('weeks of spans are summed up of what was there before, of what comes, and without what was deleted', async () => {
  const engine = await openEmbedded(join(temporaryFolder(), 'telemetry'), 512 * 1024 * 1024)
  after(() => engine.close())
  const needs = { clock: systemClock, logger: silentLogger, retentionDays: 90 }
  const before = MIGRATIONS.findIndex(({ name }) => name === '0019-span-weeks')
  const weeks = MIGRATIONS[before]
  assert.ok(before > 0 && weeks)
  await applyMigrations(engine, needs, MIGRATIONS.slice(0, before))
  const insert = (project: number, count: number): Promise<void> =>
    engine.command(
      `INSERT INTO spans (project_id, received, log_position, is_segment, op, timestamp, duration_ms, trace_id, span_id, sample_rate)
       SELECT ${project}, now64(3), number, 0, 'db', now64(6), 100, toString(number + 1e31), toString(number + 1e15), 1
       FROM numbers(${count})`,
    )
  await insert(1, 300)
  // As of a start that was interrupted after the last statement: what was applied is not yet remembered.
  for (const statement of weeks.statements) await engine.command(statement)
  await migrateTelemetry(engine, needs)
  await insert(1, 450)
  await insert(2, 40)

  const until = async (spans: number): Promise<void> => {
    const endMs = Date.now() + GIVE_UP_AFTER_MS
    for (;;) {
      const [found] = await engine.query<{ spans: number }>(SUMMED)
      if (found?.spans === spans) return
      assert.ok(Date.now() < endMs, `${found?.spans} spans are summed up, not ${spans}`)
      await sleep(50)
    }
  }
  await until(300 + 450 + 40)
  await engine.command('DELETE FROM spans WHERE project_id = 2')
  await until(300 + 450)
  await engine.command('ALTER TABLE spans DELETE WHERE log_position < 100 SETTINGS mutations_sync = 1')
  await until(200 + 350)
  await engine.command('OPTIMIZE TABLE spans FINAL')
  await until(200 + 350)
  const [mutations] = await engine.query<{ failed: number }>(
    `SELECT countIf(latest_fail_reason != '') AS failed FROM system.mutations WHERE table = 'spans'`,
  )
  assert.equal(mutations?.failed, 0)
})
