/**
 * How many rows the engine reads for each screen over 90 days, by its own count. A query that no longer says what a
 * projection holds, letter for letter, reads every span again, and shows the same figures: nothing else would notice.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createAccess, operatorViewer, type UserViewer } from '@sonde/access'
import { silentLogger, systemClock } from '@sonde/base'
import { ensureProject } from '@sonde/commands'
import { type Fixture, openEngines } from '../../../../tests/harness/engines.ts'
import { memberOf, screenReads } from '../../../../tests/harness/screen-reads.ts'

const SPANS = 200_000
const VISITS = 60_000
/** Of one vital, in one week of a project of their own: as many granules as a busy site has. */
const BUSY_VISITS = 300_000
const DAY_MS = 86_400_000

/** Over the ten weeks before; half of all spans are queries, a tenth are roots. */
async function fill({ telemetry }: Fixture, project: number): Promise<void> {
  const at = (rows: number) =>
    `fromUnixTimestamp64Milli(toInt64(${Date.now() - 60_000}) - toInt64(number * ${(70 * DAY_MS) / rows}))`
  await telemetry.command(
    `INSERT INTO spans (project_id, received, log_position, is_segment, op, segment_name, timestamp, duration_ms, trace_id, span_id,
       segment_id, status, normalized_name, peer, result, bytes, environment, browser, release, user_key, sample_rate)
     SELECT ${project}, timestamp, number, number % 10 = 0, multiIf(number % 10 = 0, 'pageload', number % 10 < 6, 'db', number % 10 < 8, 'http.client', 'resource.script'),
       concat('/', toString(cityHash64(number) % 8)), ${at(SPANS)} AS timestamp, 1 + cityHash64(number, 'ms') % 3000,
       toString(number + 1e31), toString(number + 1e15), toString(number), 'ok', if(number % 10 = 0, '', concat('name ', toString(number % 7))),
       if(number % 10 IN (6, 7), concat('host ', toString(number % 3)), ''), if(number % 10 IN (6, 7), '200', ''), 100, 'prod', 'Chrome',
       concat('r', toString(intDiv(number, 30000))), concat('id:', toString(number % 900)), 1
     FROM numbers(${SPANS})`,
  )
  await telemetry.command(
    `INSERT INTO vitals (project_id, received, log_position, name, route, page_id, timestamp, value, is_final, trace_id, span_id,
       environment, browser, release, user_key, sample_rate)
     SELECT ${project}, timestamp, number, ['lcp', 'inp', 'cls'][1 + number % 3], concat('/', toString(cityHash64(number) % 8)),
       lower(hex(sipHash64(number))), ${at(VISITS)} AS timestamp, 100 + number % 5000, 1, toString(number + 1e31), toString(number + 1e15),
       'prod', 'Chrome', 'r1', concat('id:', toString(number % 900)), 1
     FROM numbers(${VISITS})`,
  )
}

/** Half of the ids are cut out of a UUID, as SDKs do. */
async function fillBusy({ telemetry }: Fixture, project: number): Promise<void> {
  const monday = `toMonday(fromUnixTimestamp64Milli(toInt64(${Date.now() - 21 * DAY_MS})))`
  await telemetry.command(
    `INSERT INTO vitals (project_id, received, log_position, name, route, page_id, timestamp, value, is_final, trace_id, span_id,
       environment, browser, release, user_key, sample_rate)
     SELECT ${project}, timestamp, number, 'lcp', concat('/', toString(cityHash64(number) % 8)),
       concat(if(number % 2, ['8', '9', 'a', 'b'][1 + cityHash64(number, 'id') % 4], ''), lower(hex(sipHash64(number)))),
       toDateTime64(${monday}, 3, 'UTC') + toIntervalSecond(number) AS timestamp, 100 + number % 5000, 1,
       toString(number + 1e31), toString(number + 1e15), 'prod', ['Chrome', 'Safari'][1 + cityHash64(number, 'b') % 2], 'r1',
       concat('id:', toString(number % 900)), 1
     FROM numbers(${BUSY_VISITS})`,
  )
}

async function merge({ telemetry }: Fixture): Promise<void> {
  for (const table of ['spans', 'vitals'])
    await telemetry.command(`OPTIMIZE TABLE ${table} FINAL SETTINGS max_execution_time = 0`)
}

/** At most. What is summed up is some hundred rows for each statement. */
const SCREENS = [
  { path: '/acme/shop/insights/queries', most: 0.05 * SPANS },
  { path: '/acme/shop/insights/requests', most: 0.05 * SPANS },
  { path: '/acme/shop/insights/assets', most: 0.05 * SPANS },
  { path: '/acme/explore', most: 0.05 * SPANS },
  // When each release was first seen is read of the roots, in whole granules.
  { path: '/acme/shop/performance', most: 0.8 * SPANS },
  // Splits by route and the slowest read the half that are queries, the latter twice. One more statement would be too many.
  { path: '/acme/shop/insights/queries/detail?name=name%201', most: 3.5 * SPANS },
  // Overview, routes and number of visits are summed up; causes and changes read so few vitals whole, eleven times.
  { path: '/acme/shop/vitals', most: 12.5 * VISITS },
  // Roots are a granule or two in each of ten weeks: six statements read them. Without a failure nobody asks what became of
  // it, which would read them three times.
  { path: '/acme/shop/navigations', most: 3.8 * SPANS },
  // What explains a vital reads the part of its visits that it looks at: with all of them it would be 14 times.
  { path: '/acme/busy/vitals?vital=lcp', most: 12 * BUSY_VISITS },
  // Every route has so few of Safari that all are looked at; changes, parts and causes read a part (21 times).
  { path: '/acme/busy/vitals?vital=lcp&browser=Safari', most: 20 * BUSY_VISITS },
] as const
const engine = process.env['SONDE_TEST_TELEMETRY'] ?? 'chdb'
const skip = engine !== 'chdb' && 'counters of a server are of everything that runs on it'

describe('rows that a screen reads over 90 days', { skip }, () => {
  let fixture: Fixture
  let readsOf: ReturnType<typeof screenReads>
  let viewer: UserViewer
  before(async () => {
    fixture = await openEngines()
    const { records } = fixture
    const secret = 'a secret of at least thirty-two characters'
    const options = { secret, publicUrl: 'http://sonde.test', clock: systemClock, logger: silentLogger }
    const access = createAccess({ ...options, records })
    const deps = { records, access, clock: systemClock }
    const { id } = await ensureProject(deps, operatorViewer, { org: 'acme', slug: 'shop' })
    await fill(fixture, id)
    await fillBusy(fixture, (await ensureProject(deps, operatorViewer, { org: 'acme', slug: 'busy' })).id)
    await merge(fixture)
    readsOf = screenReads(fixture)
    viewer = await memberOf(records, 'acme')
  })
  after(() => fixture.close())

  for (const { path, most } of SCREENS)
    it(`${path}: at most ${Math.round(most).toLocaleString('en')}`, async () => {
      const statements = await readsOf(viewer, `${path}${path.includes('?') ? '&' : '?'}statsPeriod=90d`)
      const rows = statements.reduce((sum, each) => sum + each.rows, 0)
      const told = statements.map((each) => `${each.rows} ${each.sql.replace(/\s+/g, ' ').slice(0, 200)}`)
      assert.ok(rows > 0)
      assert.ok(rows <= most, `${rows} rows, more than ${most}:\n${told.join('\n')}`)
    })
})
