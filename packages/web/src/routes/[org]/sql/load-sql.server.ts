/**
 * The SQL console. An address fills the field and runs nothing: a link that somebody else wrote must not run a statement
 * in the name of who opens it. Statements are run by posted forms alone.
 */
import { actorOf, mayAlso } from '@sonde/access'
import { noteSqlRun } from '@sonde/commands'
import { isSqlConsoleOn, MAX_SQL_CHARS, runSql, SQL_EXAMPLES, SQL_TABLES, SqlRefused } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs } from '@sonde/router/server'
import { orgGrant, requireViewer } from '../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

/** What is read on a page; files have all rows. */
const SHOWN_ROWS = 200
const SHOWN_CHARS = 1_000

export type SqlRefusal = { readonly message: string; readonly hint?: string; readonly at?: number }
type Args = ActionArgs<AppContext, 'org'>

export async function loadSql(args: Pick<LoadArgs<AppContext, 'org'>, 'context' | 'params' | 'url'>) {
  const grant = await orgGrant(args, 'event:read')
  const { queries } = args.context
  return {
    q: args.url.searchParams.get('q') ?? '',
    isOn: await isSqlConsoleOn(queries, grant),
    maySwitch: mayAlso(grant, 'org:write'),
    maxChars: MAX_SQL_CHARS,
    tables: SQL_TABLES,
    examples: SQL_EXAMPLES,
  }
}

/** Its rows, cut to what a page can show, or why there are none. */
export async function answerSql(args: Args, q: string) {
  const { answer, refusal } = await runNoted(args, q)
  if (!answer) return invalid({ q, refusal })
  const { rows, ...rest } = answer
  return {
    q,
    answer: {
      ...rest,
      rowCount: rows.length,
      rows: rows.slice(0, SHOWN_ROWS).map((row) => row.map((value) => cellText(value))),
    },
  }
}

/** Throws for what is a defect of ours; what the person can mend is a refusal. */
export async function runNoted(args: Args, q: string) {
  const viewer = requireViewer(args)
  const grant = await orgGrant(args, 'event:read')
  if (!(await isSqlConsoleOn(args.context.queries, grant))) return httpError(403)
  await noteSqlRun(args.context.commands, grant, q)
  try {
    return { answer: await runSql(args.context.queries, grant, { text: q, actor: actorOf(viewer) }) }
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
