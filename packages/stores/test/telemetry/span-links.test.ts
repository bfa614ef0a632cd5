/** Spans from before links had columns: their links, out of the attributes that had them, at once and once rewritten. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLogger, systemClock } from '@sonde/base'
import { openEmbedded } from '../../src/telemetry/embedded/open-embedded.ts'
import { applyMigrations, migrateTelemetry } from '../../src/telemetry/migrate.ts'
import { MIGRATIONS } from '../../src/telemetry/migrations.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const [TRACE, OTHER, SPAN] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(16)]
const BEFORE = [
  {
    name: 'opentelemetry',
    strings: {
      'otel.links': JSON.stringify([
        { trace_id: TRACE.toUpperCase(), span_id: SPAN },
        { trace_id: OTHER, span_id: SPAN },
      ]),
    },
    becomes: [
      [TRACE, OTHER],
      [SPAN, SPAN],
      ['{}', '{}'],
    ],
  },
  {
    name: 'page',
    strings: { 'sentry.previous_trace': `${TRACE}-${SPAN}-1` },
    becomes: [[TRACE], [SPAN], ['{"sentry.link.type":"previous_trace"}']],
  },
  { name: 'none', strings: {}, becomes: [[], [], []] },
  { name: 'no JSON', strings: { 'otel.links': '[{"trace_id":' }, becomes: [[], [], []] },
]

test('links of spans from before are read, and found, in their columns', async () => {
  const engine = await openEmbedded(join(temporaryFolder(), 'telemetry'), 512 * 1024 * 1024)
  after(() => engine.close())
  const needs = { clock: systemClock, logger: silentLogger, retentionDays: 90 }
  const before = MIGRATIONS.findIndex(({ name }) => name === '0015-span-links')
  assert.ok(before > 0)
  await applyMigrations(engine, needs, MIGRATIONS.slice(0, before))
  const rows = BEFORE.map(({ becomes: _becomes, ...span }) =>
    JSON.stringify({ ...span, project_id: 1, received: '2026-01-01 00:00:00' }),
  )
  await engine.command(`INSERT INTO spans FORMAT JSONEachRow ${rows.join('\n')}`)
  await migrateTelemetry(engine, needs)
  const stored = async () => {
    const found = await engine.query<Record<string, unknown>>(
      'SELECT name, link_trace_ids, link_span_ids, link_attributes FROM spans',
    )
    return Object.fromEntries(
      found.map(({ name, link_trace_ids, link_span_ids, link_attributes }) => [
        name,
        [link_trace_ids, link_span_ids, link_attributes],
      ]),
    )
  }
  const expected = Object.fromEntries(BEFORE.map(({ name, becomes }) => [name, becomes]))
  assert.deepEqual(await stored(), expected)
  for (;;) {
    const [left] = await engine.query<{ n: number }>(
      `SELECT count() AS n FROM system.mutations WHERE table = 'spans' AND NOT is_done`,
    )
    if (left?.n === 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.deepEqual(await stored(), expected)
  const found = await engine.query(
    `SELECT name FROM spans WHERE has(link_trace_ids, {trace:String}) ORDER BY name`,
    { trace: TRACE },
  )
  assert.deepEqual(found, [{ name: 'opentelemetry' }, { name: 'page' }])
})
