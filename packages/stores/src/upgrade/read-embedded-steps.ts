/**
 * What schema an embedded telemetry store has, while another process may have it open: from the definitions of its tables,
 * which are text, and from a copy of the one small table that says its steps. Nothing in its folder is changed.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { openEmbedded } from '../telemetry/embedded/open-embedded.ts'
import { TABLES, TELEMETRY_TABLES } from '../telemetry/tables/tables.ts'

const MEMORY_BYTES = 128 * 1024 * 1024
/** Parts of the table may be merged away while they are copied. */
const TRIES = 5
const STEPS_TABLE = 'schema_migration'

export type EmbeddedSchema = {
  readonly steps: readonly string[]
  /** Tables, and columns as `table.column`, that this version has and the store has not. */
  readonly missing: readonly string[]
  readonly folderOf: (table: string) => string | undefined
}

/** Undefined: there is no store yet. */
export async function readEmbeddedSchema(dir: string): Promise<EmbeddedSchema | undefined> {
  const link = join(dir, 'metadata', 'default')
  if (!existsSync(link)) return undefined
  const database = join(dir, 'metadata', readlinkSync(link))
  const definitionOf = (table: string): string | undefined => {
    const file = join(database, `${table}.sql`)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
  const folderOf = (table: string): string | undefined => {
    const id = / UUID '([0-9a-f-]{36})'/.exec(definitionOf(table) ?? '')?.[1]
    return id === undefined ? undefined : join(dir, 'store', id.slice(0, 3), id)
  }
  const missing = TELEMETRY_TABLES.flatMap((table) => {
    const definition = definitionOf(table)
    if (definition === undefined) return [table]
    return TABLES[table].columns.flatMap(({ name }) =>
      definition.includes(`\n    \`${name}\` `) ? [] : [`${table}.${name}`],
    )
  })
  const folder = folderOf(STEPS_TABLE)
  if (folder === undefined) return { steps: [], missing, folderOf }
  const copy = mkdtempSync(join(tmpdir(), 'sonde-steps-'))
  try {
    copyTable({ dir, database, folder, copy })
    return { steps: await stepsIn(copy), missing, folderOf }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

type Copied = {
  readonly dir: string
  readonly database: string
  readonly folder: string
  readonly copy: string
}

function copyTable({ dir, database, folder, copy }: Copied): void {
  const there = (path: string): string => join(copy, relative(dir, path))
  mkdirSync(join(copy, 'metadata'))
  symlinkSync(readlinkSync(join(dir, 'metadata', 'default')), join(copy, 'metadata', 'default'))
  mkdirSync(there(database), { recursive: true })
  cpSync(join(database, `${STEPS_TABLE}.sql`), join(there(database), `${STEPS_TABLE}.sql`))
  for (let left = TRIES; ; left--)
    try {
      cpSync(folder, there(folder), { recursive: true })
      return
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      rmSync(there(folder), { recursive: true, force: true })
    }
}

async function stepsIn(copy: string): Promise<readonly string[]> {
  const engine = await openEmbedded(copy, MEMORY_BYTES)
  try {
    const rows = await engine.query<{ name: string }>(
      `SELECT DISTINCT name FROM ${STEPS_TABLE} ORDER BY name`,
    )
    return rows.map(({ name }) => name)
  } finally {
    await engine.close()
  }
}
