/** Compares a restored folder with what its backup says: first the files alone, then as the engines see them. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Logger } from '@sonde/base'
import { forgetLeases } from '@sonde/jobs'
import { openRecords, openTelemetry } from '@sonde/stores'
import { recordsFacts } from './collect-files.ts'
import type { Manifest } from './manifest.ts'
import { PLACES } from './pin-snapshot.ts'

/** What is not as it was. */
export type Difference = { readonly what: string; readonly expected: string; readonly found: string }

/** The records as they lie there, before any step of a newer schema. */
export function checkRecords(dataDir: string, { counts, samples }: Manifest): readonly Difference[] {
  const file = join(dataDir, PLACES.records)
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const [check] = database.prepare('PRAGMA quick_check(1)').all()
    const text = String(check?.['quick_check'])
    if (text !== 'ok') return [{ what: 'the records', expected: 'a whole database', found: text }]
  } finally {
    database.close()
  }
  const found = recordsFacts(file)
  return [
    ...compare('rows of', counts.records, found.counts),
    ...compare('a sample of', samples, found.samples),
  ]
}

/**
 * Opens the engines in this process, which can have one folder open at a time: records and telemetry get the schema of this
 * version. `isThorough`: the engine reads every part and compares its own checksums.
 */
export async function checkEngines(
  dataDir: string,
  { counts }: Manifest,
  {
    logger,
    retentionDays,
    isThorough,
  }: { readonly logger: Logger; readonly retentionDays: number; readonly isThorough: boolean },
): Promise<readonly Difference[]> {
  const records = await openRecords({ file: join(dataDir, PLACES.records) }, { logger })
  try {
    // Of processes that are not here.
    await forgetLeases(records.db)
    await records.db.deleteFrom('node').execute()
    await records.db.deleteFrom('backup_run').where('finished_ms', 'is', null).execute()
  } finally {
    await records.close()
  }
  const telemetry = await openTelemetry(
    { dir: join(dataDir, PLACES.telemetry) },
    { logger, retentionDays, keepsParts: true },
  )
  try {
    const rows = await telemetry.query<{ name: string; n: number }>(
      `SELECT table AS name, sum(rows) AS n FROM system.parts
       WHERE active AND database = currentDatabase() AND table <> 'schema_migration' GROUP BY table`,
    )
    const found = Object.fromEntries(rows.map(({ name, n }) => [name, n]))
    const { schema_migration: _, ...expected } = counts.telemetry
    const differences = compare('rows of', withoutZeros(expected), found)
    if (!isThorough) return differences
    return [...differences, ...(await checkTables(telemetry, Object.keys(withoutZeros(expected))))]
  } finally {
    await telemetry.close()
  }
}

async function checkTables(
  { query }: Awaited<ReturnType<typeof openTelemetry>>,
  tables: readonly string[],
): Promise<readonly Difference[]> {
  const differences: Difference[] = []
  for (const table of tables) {
    const parts = await query<{ part_path: string; is_passed: number | boolean; message: string }>(
      `CHECK TABLE ${table} SETTINGS check_query_single_value_result = 0, max_execution_time = 0`,
    )
    for (const { part_path: part, is_passed: isPassed, message } of parts)
      if (!isPassed) differences.push({ what: `part ${part} of ${table}`, expected: 'whole', found: message })
  }
  return differences
}

const withoutZeros = (counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

/** Tables that are there and were not are a difference, too. */
function compare<Value extends string | number>(
  what: string,
  expected: Readonly<Record<string, Value>>,
  found: Readonly<Record<string, Value>>,
): readonly Difference[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort()
  return names
    .filter((name) => expected[name] !== found[name])
    .map((name) => ({
      what: `${what} ${name}`,
      expected: String(expected[name] ?? 'none'),
      found: String(found[name] ?? 'none'),
    }))
}
