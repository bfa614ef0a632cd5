import { actorOf } from '@sonde/access'
import { noteSqlRun } from '@sonde/commands'
import { MAX_SQL_CHARS, runSql, SQL_TABLES } from '@sonde/queries'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { counted, msText, whole } from '../answer/figures.ts'
import { plainLine } from '../answer/plain-text.ts'
import { openOrg, organization } from '../subject.ts'
import { defineTool } from '../tool.ts'

const MAX_CELL_CHARS = 300

const TABLES = SQL_TABLES.map(
  ({ name, columns }) => `${name} (${columns.map((column) => column.name).join(', ')})`,
).join('\n')

export const runSqlTool = defineTool({
  name: 'run_sql',
  title: 'Run read-only SQL',
  description: `One SELECT of ClickHouse SQL over what the organization's projects stored. Only reading, a few seconds, a bounded number of rows; every run is an entry of the audit log. Aggregate and LIMIT. Tables:
${TABLES}`,
  permission: 'event:read',
  input: z.object({ organization, sql: z.string().min(1).max(MAX_SQL_CHARS) }),
  async run(context, { organization: slug, sql }) {
    const grant = await openOrg(context, slug, 'event:read')
    await noteSqlRun(context.commands, grant, sql)
    const { columns, rows, isCut, rowsRead, elapsedMs } = await runSql(context.queries, grant, {
      text: sql,
      actor: actorOf(context.viewer),
    })
    return createAnswer()
      .say(
        `${counted(rows.length, 'row')}${isCut ? ', there are more' : ''}; ${whole(rowsRead)} rows read in ${msText(elapsedMs)}. Console: ${context.links.sql(grant.orgSlug)}`,
      )
      .data(
        'Rows, tab-separated',
        [
          columns.map(({ name }) => plainLine(name, 100)).join('\t'),
          ...rows.map((row) => row.map(cell).join('\t')),
        ],
        { more: 'Aggregate, select fewer columns, or use LIMIT and OFFSET.' },
      )
  },
})

const cell = (value: unknown): string =>
  plainLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), MAX_CELL_CHARS)
