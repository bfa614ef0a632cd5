/** Every file of a backup, from what was pinned at its moment; and the counts that a restored one is compared with. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BY_CONTENT, type KnownFiles, type SourceFile } from './pack-files.ts'
import { linkOrCopy, PLACES } from './pin-snapshot.ts'

/** Of the records' file; what did not change between two backups is not written again. */
const STRETCH_BYTES = 1024 * 1024
const PAGES_AT_ONCE = 2_000

/** Page by page from the open transaction: a page stays where it was, so that most stretches of the file stay the same. */
export async function copyRecords(pinned: DatabaseSync, file: string): Promise<readonly SourceFile[]> {
  await backup(pinned, file, { rate: PAGES_AT_ONCE })
  const { size } = statSync(file)
  return Array.from({ length: Math.ceil(size / STRETCH_BYTES) }, (_, index) => {
    const at = index * STRETCH_BYTES
    const bytes = Math.min(STRETCH_BYTES, size - at)
    return { path: PLACES.records, source: file, at, bytes, key: BY_CONTENT }
  })
}

const SAMPLE_ROWS = 200

export type RecordsFacts = {
  readonly counts: Readonly<Record<string, number>>
  readonly samples: Readonly<Record<string, string>>
  readonly schema: readonly string[]
}

/** Of a file that nobody else has open. */
export function recordsFacts(file: string): RecordsFacts {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database
      .prepare(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      )
      .all()
      .map(({ name }) => String(name))
    const counts: Record<string, number> = {}
    const samples: Record<string, string> = {}
    for (const table of tables) {
      const quoted = `"${table.replaceAll('"', '""')}"`
      counts[table] = Number(database.prepare(`SELECT count(*) AS n FROM ${quoted}`).get()?.['n'])
      const rows = database.prepare(`SELECT * FROM ${quoted} ORDER BY 1 DESC LIMIT ${SAMPLE_ROWS}`)
      rows.setReadBigInts(true)
      samples[table] = hashOf(rows.all())
    }
    const schema = database.prepare('SELECT name FROM schema_migration ORDER BY name').all()
    return { counts, samples, schema: schema.map(({ name }) => String(name)) }
  } finally {
    database.close()
  }
}

/** Of which rows those are that share the first column says nothing: so their order does not count. */
function hashOf(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const texts = rows.map((row) =>
    JSON.stringify(Object.values(row), (_, value: unknown) =>
      typeof value === 'bigint'
        ? `${value}n`
        : value instanceof Uint8Array
          ? Buffer.from(value).toString('base64')
          : value,
    ),
  )
  return createHash('sha256').update(texts.sort().join('\n')).digest('hex')
}

export type FrozenParts = {
  readonly files: readonly SourceFile[]
  readonly rows: Readonly<Record<string, number>>
}

/** `frozen`: `shadow/NAME` of the engine's folder. `links`: of the data folder, which name the tables' folders. */
export function frozenParts(
  frozen: string,
  links: readonly { readonly path: string; readonly to: string }[],
): FrozenParts {
  const files: SourceFile[] = []
  const rows: Record<string, number> = {}
  const tables = new Map<string, string>()
  for (const { path, to } of links) {
    const [, data, , table] = path.split('/')
    if (data !== 'data' || table === undefined) continue
    tables.set(to.slice(to.lastIndexOf('/') + 1), table)
    rows[table] = 0
  }
  for (const table of folders(join(frozen, 'store')).flatMap((prefix) =>
    folders(join(frozen, 'store', prefix)).map((id) => ({ prefix, id })),
  )) {
    const below = `store/${table.prefix}/${table.id}`
    const name = tables.get(table.id)
    for (const part of folders(join(frozen, below))) {
      const dir = join(frozen, below, part)
      const same = createHash('sha256')
        .update(readFileSync(join(dir, 'checksums.txt')))
        .digest('hex')
      if (name !== undefined)
        rows[name] = (rows[name] ?? 0) + Number(readFileSync(join(dir, 'count.txt'), 'utf8'))
      for (const file of filesBelow(dir)) {
        const path = `${PLACES.telemetry}/${below}/${part}/${file}`
        const source = join(dir, file)
        const key = `part:${table.id}/${part}/${same}/${file}`
        files.push({ path, source, at: 0, bytes: statSync(source).size, key })
      }
    }
  }
  return { files, rows }
}

const folders = (dir: string): string[] => {
  try {
    return readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    )
  } catch (error) {
    // Nothing was stored yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function* filesBelow(dir: string, below = ''): Generator<string> {
  for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
    // Names that begin with a dot are writes that are not finished.
    if (entry.name.startsWith('.')) continue
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* filesBelow(dir, name)
    else if (entry.isFile()) yield name
  }
}

const LINKS_PER_TURN = 500

/** Nothing may be deleted meanwhile. Those that an earlier backup has are not even linked. */
export async function linkBlobs(
  { dir, staging }: { readonly dir: string; readonly staging: string },
  known: KnownFiles,
): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = []
  let count = 0
  for (const name of folders(dirname(dir)).includes(PLACES.blobs) ? filesBelow(dir) : []) {
    if (++count % LINKS_PER_TURN === 0) await nextTurn()
    const from = join(dir, name)
    const to = join(staging, name)
    const key = keyOf(name, statSync(from))
    if (known.has(key)) {
      files.push({ path: `${PLACES.blobs}/${name}`, source: to, at: 0, bytes: statSync(from).size, key })
      continue
    }
    mkdirSync(dirname(to), { recursive: true })
    linkOrCopy(from, to)
    // Written over since it was looked at: what is linked counts.
    const linked = statSync(to)
    files.push({
      path: `${PLACES.blobs}/${name}`,
      source: to,
      at: 0,
      bytes: linked.size,
      key: keyOf(name, linked),
    })
  }
  return files
}

const keyOf = (name: string, { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string =>
  `blob:${name}:${size}:${mtimeMs}`
