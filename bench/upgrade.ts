/**
 * `node --conditions=@sonde/source bench/upgrade.ts [--rows 10000000]`: how long the steps of an upgrade take with so many issues, and so many spans, in
 * the oldest data folders. Its figures are those of `packages/stores/src/upgrade/step-costs.ts`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { silentLogger, systemClock } from '@sonde/base'
import { migrateRecords } from '../packages/stores/src/records/migrate.ts'
import { MIGRATIONS } from '../packages/stores/src/records/migrations.ts'
import { openSqlite } from '../packages/stores/src/records/sqlite/open-sqlite.ts'
import { openEmbedded } from '../packages/stores/src/telemetry/embedded/open-embedded.ts'
import { migrateTelemetry } from '../packages/stores/src/telemetry/migrate.ts'
import { dataFolderNames, unpackDataFolder } from '../tests/crash/upgrade/data-folder.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '10000000' } } })
const rows = Number(values.rows)
const MEMORY_BYTES = 512 * 1024 * 1024
const PIECE = 200_000
const SHOWN_MS = 100
const logger = silentLogger
/** The first that has issues, the first that has spans. */
const [withIssues = '', withSpans = ''] = dataFolderNames()

/** Processor time too, which other work on the machine does not change. */
function stopwatch(): () => string {
  const [beganMs, before] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(before)
    return `${((performance.now() - beganMs) / 1000).toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of a core)`
  }
}
const inFolder = async (name: string, measure: (dataDir: string) => void | Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-bench-upgrade-'))
  try {
    unpackDataFolder(name, folder)
    await measure(join(folder, 'data'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

await inFolder(withSpans, async (dataDir) => {
  const engine = await openEmbedded(join(dataDir, 'telemetry'), MEMORY_BYTES)
  await engine.command('CREATE TABLE one ENGINE = Memory AS SELECT * FROM spans LIMIT 1')
  const trace = `reinterpretAsFixedString(toUInt128(number)) || toFixedString('', 16) AS trace_id`
  // In pieces: one insert of all would need more memory than the engine may take.
  for (let from = 0; from < rows; from += PIECE)
    await engine.command(
      `INSERT INTO spans SELECT one.* REPLACE (${trace})
       FROM numbers(${from}, ${Math.min(PIECE, rows - from)}) AS more CROSS JOIN one SETTINGS max_block_size = 65536, max_execution_time = 0`,
    )
  const [stored] = await engine.query<{ n: number }>('SELECT count() AS n FROM spans')
  const all = stopwatch()
  await migrateTelemetry(engine, { logger, clock: systemClock, retentionDays: 3_650 })
  console.log(`${stored?.n} spans: all steps of the telemetry: ${all()}`)
  for (;;) {
    const [left] = await engine.query<{ n: number }>(
      'SELECT toUInt32(count()) AS n FROM system.mutations WHERE NOT is_done',
    )
    if (left?.n === 0) break
  }
  console.log(`  columns filled in the background after ${all()}`)
  await engine.close()
})

await inFolder(withIssues, (dataDir) => {
  const file = join(dataDir, 'records.sqlite')
  fillIssues(file)
  console.log(`${rows} issues, ${(statSync(file).size / 1e9).toFixed(2)} GB`)
  const database = openSqlite(file)
  const all = stopwatch()
  for (const migration of MIGRATIONS) {
    const [startMs, step] = [performance.now(), stopwatch()]
    migrateRecords(database, logger, [migration])
    if (performance.now() - startMs > SHOWN_MS) console.log(`  ${migration.name}: ${step()}`)
  }
  console.log(`  all steps of the records: ${all()}`)
  database.close()
})

function fillIssues(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = OFF')
  const columns = database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all('issue')
    .map(({ name }) => String(name))
    .filter((name) => name !== 'id')
  const filled: Readonly<Record<string, string>> = {
    short_number: '1000 + n',
    title: `title || ' ' || n`,
    last_seen_ms: 'last_seen_ms - n',
    event_count: 'n % 1000',
  }
  database.exec(
    `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${rows})
     INSERT INTO issue (${columns.join(', ')})
     SELECT ${columns.map((name) => filled[name] ?? name).join(', ')} FROM number, (SELECT * FROM issue LIMIT 1)`,
  )
  database.close()
}
