/** The SQL console: the statement of the address, run, with its rows cut to what a page can show. */
import { actorOf, type OrgScope } from '@sonde/access'
import { noteSqlRun } from '@sonde/commands'
import { isSqlConsoleOn, MAX_SQL_CHARS, runSql, SQL_EXAMPLES, SQL_TABLES, SqlRefused } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../server/app-context.ts'
import { mayInOrg, orgScope, requireViewer } from '../server/page-scope.ts'

/** What is read on a page; files have all rows. */
const SHOWN_ROWS = 200
const SHOWN_CHARS = 1_000

export type SqlRefusal = { readonly message: string; readonly hint?: string; readonly at?: number }
type Args = Pick<LoadArgs<AppContext, 'org'>, 'context' | 'params' | 'url'>

export async function loadSql(args: Args) {
  const scope = await orgScope(args, 'event:read')
  const { queries } = args.context
  const [isOn, maySwitch] = await Promise.all([isSqlConsoleOn(queries, scope), mayInOrg(args, 'org:write')])
  const q = args.url.searchParams.get('q') ?? ''
  return {
    q,
    isOn,
    maySwitch,
    maxChars: MAX_SQL_CHARS,
    tables: SQL_TABLES,
    examples: SQL_EXAMPLES,
    ...(q.trim() === '' || !isOn ? {} : await shownAnswer(args, scope, q)),
  }
}

async function shownAnswer(args: Args, scope: OrgScope, q: string) {
  const { answer, refusal } = await runNoted(args, scope, q)
  if (!answer) return { refusal }
  const { rows, ...rest } = answer
  return {
    answer: {
      ...rest,
      rowCount: rows.length,
      rows: rows.slice(0, SHOWN_ROWS).map((row) => row.map((value) => cellText(value))),
    },
  }
}

/** Throws for what is a defect of ours; what the person can mend is a refusal. */
export async function runNoted(args: Args, scope: OrgScope, q: string) {
  const viewer = requireViewer(args)
  await noteSqlRun(args.context.commands, viewer, { org: scope.orgSlug, sql: q })
  try {
    return { answer: await runSql(args.context.queries, scope, { text: q, actor: actorOf(viewer) }) }
  } catch (error) {
    if (!(error instanceof SqlRefused)) throw error
    const { message, hint, at } = error
    const refusal: SqlRefusal = {
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(at === undefined ? {} : { at }),
    }
    return { refusal }
  }
}

/** Null stays null: an empty text is something else. */
function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text
}
