/** Texts of the records that name a person: finding them, and clearing them. */
import { sql } from 'kysely'
import type { Records } from '../records/schema.ts'
import { sqliteTextIndex } from '../records/sqlite/sqlite-text-index.ts'
import { textIndexOf } from '../records/text-index.ts'
import { writeTransaction } from '../records/write-transaction.ts'
import { type Person, personEraser, type PersonEraser, personTexts } from './person.ts'
import { RECORD_TEXTS, type RecordTexts } from './record-kinds.ts'

type Row = Readonly<Record<string, unknown>>
export type NamingRow = { readonly what: string; readonly table: string; readonly row: Row }

const ROWS_AT_ONCE = 200

/** Every row that names the person, table by table; a page of rows is in memory at a time. */
export async function* recordsNaming(
  records: Records,
  projectIds: readonly number[],
  person: Person,
): AsyncGenerator<NamingRow> {
  const eraser = personEraser(person)
  if (!eraser || projectIds.length === 0) return
  for (const texts of RECORD_TEXTS)
    for (let last: unknown; ;) {
      const rows = await page(records, texts, projectIds, person, last)
      for (const row of rows)
        if (texts.columns.some((column) => isNamedIn(row[column], eraser)))
          yield { what: texts.what, table: texts.table, row }
      if (rows.length < ROWS_AT_ONCE) break
      last = rows.at(-1)?.[texts.key]
    }
}

const isNamedIn = (text: unknown, eraser: PersonEraser): text is string =>
  typeof text === 'string' && eraser.has(text)

/** Puts `[Erased]` in the place of the person. Idempotent; returns how many rows of each table were changed. */
export async function eraseFromRecords(
  records: Records,
  projectIds: readonly number[],
  person: Person,
): Promise<Readonly<Record<string, number>>> {
  const eraser = personEraser(person)
  const changed: Record<string, number> = {}
  if (!eraser || projectIds.length === 0) return changed
  for (const texts of RECORD_TEXTS)
    for (let last: unknown; ;) {
      const rows = await writeTransaction(records, async (tx) => {
        const found = await page(tx, texts, projectIds, person, last)
        for (const row of found)
          if (await eraseRow(tx, texts, projectIds, row, eraser))
            changed[texts.what] = (changed[texts.what] ?? 0) + 1
        return found
      })
      if (rows.length < ROWS_AT_ONCE) break
      last = rows.at(-1)?.[texts.key]
    }
  return changed
}

async function eraseRow(
  tx: Records,
  { table, key, columns, where }: RecordTexts,
  projectIds: readonly number[],
  row: Row,
  eraser: PersonEraser,
): Promise<boolean> {
  const sets = columns.flatMap((column) => {
    const text = row[column]
    return isNamedIn(text, eraser) ? [sql`${sql.ref(column)} = ${eraser.erase(text)}`] : []
  })
  if (sets.length === 0) return false
  await sql`UPDATE ${sql.table(table)} SET ${sql.join(sets)}
    WHERE ${sql.ref(key)} = ${row[key]} AND ${scope(where, projectIds)}`.execute(tx)
  return true
}

async function page(
  records: Records,
  { table, key, columns, where }: RecordTexts,
  projectIds: readonly number[],
  person: Person,
  last: unknown,
): Promise<readonly Row[]> {
  const needles = personTexts(person)?.needles ?? []
  const likes = columns.flatMap((column) =>
    needles.map((needle) => {
      const lower = needle.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
      const pattern = `%${lower.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
      return sql`lower(${sql.ref(column)}) LIKE ${pattern} ESCAPE '\\'`
    }),
  )
  const { rows } = await sql<Row>`SELECT ${sql.join([key, ...columns].map((name) => sql.ref(name)))}
    FROM ${sql.table(table)}
    WHERE ${scope(where, projectIds)} AND (${sql.join(likes, sql` OR `)})
      ${last === undefined ? sql`` : sql`AND ${sql.ref(key)} > ${last}`}
    ORDER BY ${sql.ref(key)} LIMIT ${sql.lit(ROWS_AT_ONCE)}`.execute(records)
  return rows
}

/** Ids are numbers of our own. */
const scope = (where: string, projectIds: readonly number[]) =>
  sql.raw(where.replaceAll('@projects', projectIds.map(Number).join(', ')))

// Of larger files the rewriting would stand in the way of the pipeline for too long: their pages were zeroed when they were left.
const MAX_VACUUM_BYTES = 512 * 1024 * 1024

/**
 * What was deleted or written over leaves the file of SQLite too. PostgreSQL does so by itself, with its own vacuum. May be
 * repeated.
 */
export async function purgeRecords(records: Records): Promise<void> {
  if (textIndexOf(records) !== sqliteTextIndex) return
  // The index keeps what was deleted in its older segments until they become one.
  await sql`INSERT INTO issue_text (issue_text) VALUES ('optimize')`.execute(records)
  const { rows } = await sql<{ bytes: number }>`SELECT page_count * page_size AS bytes
    FROM pragma_page_count(), pragma_page_size()`.execute(records)
  if ((rows[0]?.bytes ?? 0) <= MAX_VACUUM_BYTES) await sql`VACUUM`.execute(records)
  await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(records)
}
