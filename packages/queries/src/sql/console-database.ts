/**
 * The database in which a statement of the console is read: a view for each table that it offers, with the rows of one
 * organisation's projects. Its name says what is in it, so another list of projects, another name of one or another
 * version of Sonde is another database, and the one before goes.
 *
 * Each view narrows by PREWHERE, not WHERE: a condition of the statement is only looked at for rows that passed it. With
 * WHERE the engine puts both into one, in its own order, and `toUInt64(name)` would fail with the text of a foreign row.
 */
import { createHash } from 'node:crypto'
import type { QueryDeps } from '../query-deps.ts'
import { SQL_TABLES, type SqlTable } from './sql-tables.ts'

export type ConsoleProject = { readonly id: number; readonly slug: string }

type Engine = Pick<QueryDeps, 'telemetry'>

/** Its name. Idempotent, about 3 ms when it is there. */
export async function consoleDatabase(
  { telemetry }: Engine,
  orgId: number,
  projects: readonly ConsoleProject[],
): Promise<string> {
  const [current] = await telemetry.query<{ home: string }>('SELECT currentDatabase() AS home')
  const home = current?.home ?? 'default'
  const views = SQL_TABLES.map((table) => ({ table, select: selectOf(table, home) }))
  const ordered = projects.toSorted((a, b) => a.id - b.id)
  const contents = JSON.stringify([views.map(({ select }) => select), ordered])
  const prefix = `console_${orgId}_`
  const database = prefix + createHash('sha256').update(contents).digest('hex').slice(0, 16)
  const params = { projects: ordered.map(({ id }) => id), slugs: ordered.map(({ slug }) => slug) }
  const found = await telemetry.query<{ name: string }>(
    'SELECT name FROM system.databases WHERE startsWith(name, {prefix:String})',
    { prefix },
  )
  // In memory: nothing of it is stored, and it is made again after a start.
  await telemetry.command(`CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Memory`)
  for (const { table, select } of views)
    await telemetry.command(`CREATE VIEW IF NOT EXISTS ${database}.${table.name} AS ${select}`, params)
  for (const { name } of found)
    if (name !== database) await telemetry.command(`DROP DATABASE IF EXISTS ${name}`)
  return database
}

function selectOf({ name, isFinal, columns }: SqlTable, home: string): string {
  const list = columns.map((column) =>
    column.name === 'project'
      ? `transform(project_id, {projects:Array(UInt32)}, {slugs:Array(String)}, '') AS project`
      : column.name,
  )
  return `SELECT ${list.join(', ')} FROM \`${home}\`.${name}${isFinal ? ' FINAL' : ''}
    PREWHERE project_id IN {projects:Array(UInt32)}`
}
