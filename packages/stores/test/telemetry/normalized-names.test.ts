/** Spans from before there were columns for what they did: as they are read at once, and once they are rewritten. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLogger, systemClock } from '@sonde/base'
import { openEmbedded } from '../../src/telemetry/embedded/open-embedded.ts'
import { applyMigrations, migrateTelemetry } from '../../src/telemetry/migrate.ts'
import { MIGRATIONS } from '../../src/telemetry/migrations.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const SPANS = [
  {
    op: 'db.sql.query',
    name: `SELECT  * FROM a WHERE b = 'it''s' AND c IN (1, 2, 3) AND d = $1 AND e2 = 5`,
    strings: { 'db.system': 'postgresql' },
    numbers: {},
    becomes: ['SELECT * FROM a WHERE b = ? AND c IN (?) AND d = ? AND e2 = ?', 'postgresql', '', 0],
  },
  {
    op: 'http.client',
    name: 'GET https://api.example/users/42/orders?x=1',
    strings: {},
    numbers: { 'http.response.status_code': 503, 'http.response_content_length': 900 },
    becomes: ['GET https://api.example/users/*/orders', 'api.example', '503', 900],
  },
  {
    op: 'resource.script',
    name: '/assets/index-DiwrgTda.js',
    strings: { 'resource.render_blocking_status': 'blocking' },
    numbers: { 'http.response_transfer_size': 1200 },
    becomes: ['/assets/index-*.js', '', 'blocking', 1200],
  },
  {
    op: 'cache.get',
    name: 'x',
    strings: { 'cache.key': 'cart:7', 'cache.hit': 'false' },
    numbers: {},
    becomes: ['cart:*', '', 'miss', 0],
  },
  {
    op: 'queue.process',
    name: 'x',
    strings: { 'messaging.destination.name': 'orders', 'messaging.system': 'kafka' },
    numbers: {},
    becomes: ['orders', 'kafka', '', 0],
  },
  { op: 'ui.render', name: 'Cart 7', strings: {}, numbers: {}, becomes: ['', '', '', 0] },
]

test('spans from before say what they did too', async () => {
  const engine = await openEmbedded(join(temporaryFolder(), 'telemetry'), 512 * 1024 * 1024)
  after(() => engine.close())
  const needs = { clock: systemClock, logger: silentLogger, retentionDays: 90 }
  const before = MIGRATIONS.findIndex(({ name }) => name === '0014-normalized-names')
  assert.ok(before > 0)
  await applyMigrations(engine, needs, MIGRATIONS.slice(0, before))
  const rows = SPANS.map(({ becomes: _becomes, ...span }) =>
    JSON.stringify({
      ...span,
      project_id: 1,
      received: '2026-01-01 00:00:00',
      timestamp: '2026-01-01 00:00:00',
    }),
  )
  await engine.command(`INSERT INTO spans FORMAT JSONEachRow ${rows.join('\n')}`)
  await migrateTelemetry(engine, needs)
  const stored = async () => {
    const found = await engine.query<Record<string, string | number>>(
      'SELECT op, normalized_name, peer, result, bytes FROM spans',
    )
    return Object.fromEntries(
      found.map(({ op, normalized_name, peer, result, bytes }) => [
        op,
        [normalized_name, peer, result, bytes],
      ]),
    )
  }
  const expected = Object.fromEntries(SPANS.map(({ op, becomes }) => [op, becomes]))
  assert.deepEqual(await stored(), expected)
  // Rewritten in the background: the same, from the disk.
  for (;;) {
    const [left] = await engine.query<{ n: number }>(
      `SELECT count() AS n FROM system.mutations WHERE table = 'spans' AND NOT is_done`,
    )
    if (left?.n === 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.deepEqual(await stored(), expected)
  // A row that names the columns keeps what it says.
  await engine.command(
    `INSERT INTO spans (project_id, op, name, normalized_name) VALUES (1, 'db', 'SELECT 1', 'said')`,
  )
  assert.equal((await stored())['db']?.[0], 'said')
})
