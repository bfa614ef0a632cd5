/**
 * Fills a stopped Sonde's telemetry: `node load-store.ts <data dir> <spans>`; half as many vitals, a tenth as many
 * navigations, prefetches and errors, and of errors a million at most, as the budget says. A process of its own, because the embedded engine of a process opens one folder.
 */
import { join } from 'node:path'
import { silentLogger } from '@sonde/base'
import { openTelemetry, type Telemetry } from '@sonde/stores'
import { drawn, MULTIPLIED, type Multiplied } from './multiply.ts'

const [dataDir = '', spansText = ''] = process.argv.slice(2)
const SHARES: Readonly<Record<keyof typeof MULTIPLIED, number>> = {
  spans: 1,
  vitals: 0.62,
  navigations: 0.1,
  prefetches: 0.1,
  events: 0.1,
}
const MOST: Readonly<Record<string, number>> = { events: 1_000_000 }
const DAY_MS = 86_400_000
const DAYS = 88
/** Pages open for half a minute; what is told when they are left must not lie ahead. */
const END_MS = Date.now() - 120_000
const BEGAN_MS = END_MS - DAYS * DAY_MS
const ROWS_USUALLY = 200_000
/** Payloads are large. */
const ROWS_AN_INSERT: Readonly<Record<string, number>> = { events: 20_000 }
// Nobody else needs memory here, and merges of the parts before run beside each insert.
const MAX_MEMORY_BYTES = 3 * 1024 ** 3

const telemetry = await openTelemetry(
  { dir: join(dataDir, 'telemetry') },
  { logger: silentLogger, maxMemoryBytes: MAX_MEMORY_BYTES },
)
for (const each of Object.values(MULTIPLIED)) await keepTemplate(telemetry, each)
// What came through the endpoints all came within a minute; what is measured is spread over months.
for (const table of [...Object.keys(MULTIPLIED), 'event_index'])
  await telemetry.command(`TRUNCATE TABLE ${table}`)
for (const each of Object.values(MULTIPLIED)) await multiply(telemetry, each, rowsOf(each.table))
await settle(telemetry)
await telemetry.close()

function rowsOf(table: Multiplied['table']): number {
  const rows = Math.round(Number(spansText) * (SHARES[table] ?? 0))
  return Math.min(rows, MOST[table] ?? rows)
}

function templateOf(table: string): string {
  return `bench_${table}`
}

async function keepTemplate(store: Telemetry, { table, from, unit }: Multiplied): Promise<void> {
  const microseconds = 'toUnixTimestamp64Micro(toDateTime64(timestamp, 6))'
  // Units in an order of their own: which are copied most is drawn by their place in it.
  await store.command(
    `CREATE OR REPLACE TABLE ${templateOf(table)} ENGINE = Memory AS
     SELECT *, toUInt64(dense_rank() OVER (ORDER BY cityHash64(${unit})) - 1) AS place,
       (${microseconds} - min(${microseconds}) OVER (PARTITION BY ${unit})) / 1000 AS offset_ms
     FROM ${table} WHERE ${from}`,
  )
}

async function multiply(store: Telemetry, { table, told, columns }: Multiplied, rows: number): Promise<void> {
  const startedMs = performance.now()
  const [found] = await store.query<{ rows: number; units: number }>(
    `SELECT ${told === undefined ? 'count()' : `sum(length(${told}))`} AS rows, max(place) + 1 AS units
     FROM (SELECT *, cityHash64(place, item_index) AS copy FROM ${templateOf(table)})`,
  )
  if (!found || found.rows === 0) throw new Error(`the pipeline has stored no ${table} to multiply`)
  const names = await store.query<{ name: string }>(
    `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String} AND default_kind = ''`,
    { table },
  )
  const perUnit = found.rows / found.units
  const copies = Math.ceil(rows / perUnit)
  const each = Math.ceil((ROWS_AN_INSERT[table] ?? ROWS_USUALLY) / perUnit)
  const selected = names.map(({ name }) => `${columns[name] ?? `kept.${name}`} AS ${name}_`)
  for (let first = 0; first < copies; first += each) {
    // With a power: some units are copied many times as often as others.
    await store.command(
      `INSERT INTO ${table} (${names.map(({ name }) => name).join(', ')})
       SELECT ${selected.join(', ')}
       FROM ${templateOf(table)} AS kept INNER JOIN (
         SELECT number AS copy, toInt64(${BEGAN_MS}) AS began,
           began + toInt64(${END_MS - BEGAN_MS} * ((number + 1) / ${copies})) AS at,
           toUInt64(${found.units} * pow(${drawn('unit')}, 1.5)) AS wanted
         FROM numbers(${first}, ${Math.min(each, copies - first)})
       ) AS copied ON copied.wanted = kept.place
       ${told === undefined ? '' : `ARRAY JOIN ${told} AS told`}
       SETTINGS min_insert_block_size_rows = ${ROWS_USUALLY}, max_insert_block_size = ${ROWS_USUALLY}, max_insert_threads = 1,
         max_execution_time = 0`,
    )
  }
  await store.command(`DROP TABLE ${templateOf(table)}`)
  console.error(
    `${table}: ${rows.toLocaleString('en')} rows in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
  )
}

/** As a store looks that has been running: weeks that are over are one part, and merges of the last have caught up. */
async function settle(store: Telemetry): Promise<void> {
  for (const table of ['spans', 'vitals', 'navigations', 'prefetches']) {
    const weeks = await store.query<{ week: string }>(
      `SELECT DISTINCT partition AS week FROM system.parts
       WHERE active AND database = currentDatabase() AND table = {table:String} AND partition < toString(toMonday(now()))`,
      { table },
    )
    for (const { week } of weeks)
      await store.command(`OPTIMIZE TABLE ${table} PARTITION '${week}' FINAL SETTINGS max_execution_time = 0`)
  }
  for (let quiet = 0; quiet < 8;) {
    const [running] = await store.query<{ merges: number }>('SELECT count() AS merges FROM system.merges')
    quiet = running?.merges === 0 ? quiet + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
