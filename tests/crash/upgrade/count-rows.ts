/** What lies in a data folder that no Sonde has open, without a word of the schema that wrote it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openEmbedded } from '../../../packages/stores/src/telemetry/embedded/open-embedded.ts'
import type { StoreContent } from './data-folder.ts'

const MEMORY_BYTES = 512 * 1024 * 1024
/** What a full-text index keeps is the engine's own. */
const OWN_TABLES = /^sqlite_|^schema_migration$|^issue_text_/

export function recordsContent(dataDir: string): StoreContent {
  const database = new DatabaseSync(join(dataDir, 'records.sqlite'))
  try {
    const tables = database
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !OWN_TABLES.test(name))
    const count = (name: string): number =>
      Number(database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.['n'])
    const steps = database.prepare('SELECT name FROM schema_migration ORDER BY rowid').all()
    return { steps: steps.map(({ name }) => String(name)), rows: counted(tables, tables.map(count)) }
  } finally {
    database.close()
  }
}

/** A process can do this for one folder. */
export async function telemetryContent(dataDir: string): Promise<StoreContent> {
  const dir = join(dataDir, 'telemetry')
  if (!existsSync(dir)) throw new Error(`${dir} is not there`)
  const engine = await openEmbedded(dir, MEMORY_BYTES)
  try {
    const tables = await engine.query<{ name: string; engine: string }>(
      `SELECT name, engine FROM system.tables WHERE database = currentDatabase() AND name <> 'schema_migration' ORDER BY name`,
    )
    const names = tables.map(({ name }) => name)
    const counts: number[] = []
    for (const { name, engine: kind } of tables) {
      // Rows of the same key become one when their parts are merged, whenever that is.
      const final = kind === 'MergeTree' ? '' : ' FINAL'
      const [row] = await engine.query<{ n: number }>(`SELECT toUInt32(count()) AS n FROM ${name}${final}`)
      counts.push(Number(row?.n))
    }
    const steps = await engine.query<{ name: string }>(
      'SELECT name, min(applied_ms) AS at FROM schema_migration GROUP BY name ORDER BY at, name',
    )
    return { steps: steps.map(({ name }) => name), rows: counted(names, counts) }
  } finally {
    await engine.close()
  }
}

const counted = (names: readonly string[], counts: readonly number[]): Record<string, number> =>
  Object.fromEntries(names.flatMap((name, at) => ((counts[at] ?? 0) > 0 ? [[name, counts[at] ?? 0]] : [])))
