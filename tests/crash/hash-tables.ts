/** A process of its own, since one can open one telemetry folder: prints how many rows each table of a data folder has, and a hash over all of them. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openEmbedded } from '../../packages/stores/src/telemetry/embedded/open-embedded.ts'

/** `123 rows, ab12…` by the name of the table. */
export type TableHashes = Readonly<Record<string, string>>

const MEMORY_BYTES = 512 * 1024 * 1024

function recordsHashes(dataDir: string): TableHashes {
  const database = new DatabaseSync(join(dataDir, 'records.sqlite'), { readOnly: true })
  try {
    const tables = database
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .all()
      .map(({ name }) => String(name))
    return Object.fromEntries(
      tables.map((table) => {
        const rows = database.prepare(`SELECT * FROM "${table}"`)
        rows.setReadBigInts(true)
        const texts = rows.all().map((row) => JSON.stringify(Object.values(row), readable))
        const hash = createHash('sha256').update(texts.sort().join('\n')).digest('hex')
        return [table, `${texts.length} rows, ${hash}`]
      }),
    )
  } finally {
    database.close()
  }
}

const readable = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}n`
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

async function telemetryHashes(dataDir: string): Promise<TableHashes> {
  const engine = await openEmbedded(join(dataDir, 'telemetry'), MEMORY_BYTES)
  try {
    const tables = await engine.query<{ name: string; engine: string }>(
      `SELECT name, engine FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
    )
    const hashes: [string, string][] = []
    for (const { name, engine: kind } of tables) {
      // Rows of the same key become one when their parts are merged, whenever that is.
      const final = kind === 'MergeTree' ? '' : ' FINAL'
      const [row] = await engine.query<{ text: string }>(
        `SELECT concat(toString(count()), ' rows, ', hex(groupBitXor(cityHash64(toString(tuple(*)))))) AS text FROM ${name}${final}`,
      )
      hashes.push([name, row?.text ?? ''])
    }
    return Object.fromEntries(hashes)
  } finally {
    await engine.close()
  }
}

const [dataDir = ''] = process.argv.slice(2)
console.log(JSON.stringify({ records: recordsHashes(dataDir), telemetry: await telemetryHashes(dataDir) }))
