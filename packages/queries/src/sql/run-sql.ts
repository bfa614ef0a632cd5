/** One statement of the console, from the text that a person wrote to rows. Why it is safe: docs/decisions/0010-sql-console.md. */
import {
  type ConsoleAnswer,
  ConsoleError,
  isConsoleError,
  type OrgScope,
  type RunStatement,
  type Telemetry,
} from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { checkResolved } from './check-resolved.ts'
import { checkTokens } from './check-tokens.ts'
import { checkTree, treeStatement } from './check-tree.ts'
import { consoleDatabase, type ConsoleProject } from './console-database.ts'
import { refusalOf } from './engine-message.ts'
import { SqlRefused } from './sql-refused.ts'
import { SQL_TABLE_NAMES } from './sql-tables.ts'
import { sqlTokens } from './sql-tokens.ts'

/** Longer than any statement a person writes by hand; bounds the work of reading one. */
export const MAX_SQL_CHARS = 10_000
/** Who waits longer than for two others is better told so. */
const MAX_WAITING = 3

// Text that crosses a C boundary; spaces, tabs and line ends are none of these.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

export type SqlInput = {
  readonly text: string
  /** One statement at a time for each: `actorOf(viewer)`. */
  readonly actor: string
}

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>

/** Throws `SqlRefused`, also for what the engine gives up; other errors are ours. */
export async function runSql(deps: Deps, scope: OrgScope, input: SqlInput): Promise<ConsoleAnswer> {
  const text = input.text.trim().replace(/;$/, '')
  if (text === '') throw new SqlRefused('there is no statement')
  if (text.length > MAX_SQL_CHARS)
    throw new SqlRefused(`a statement has at most ${MAX_SQL_CHARS.toLocaleString('en')} characters`)
  if (CONTROL.test(text)) throw new SqlRefused('this statement has signs that are not offered')
  return inTurn(deps.telemetry, input.actor, async () => {
    const projects = await projectsOf(deps, scope)
    if (projects.length === 0) throw new SqlRefused('there is no project whose rows could be read')
    try {
      const sql = await readStatement(deps, text)
      const database = await consoleDatabase(deps, scope.orgId, projects)
      return await deps.telemetry.console.use(database, async (run) => {
        // Nothing runs for the tree of the parser; for names, subqueries that are a constant may: with these limits.
        checkTree(await linesOf(run, treeStatement(sql)))
        checkResolved(await linesOf(run, `EXPLAIN QUERY TREE ${sql}`), database, SQL_TABLE_NAMES)
        return run(sql)
      })
    } catch (error) {
      throw isConsoleError(error) ? refusalOf(error, input.text) : error
    }
  })
}

/** The statement as the engine writes it, checked; that text and no other is run. */
async function readStatement({ telemetry }: Deps, text: string): Promise<string> {
  const written = await orConsoleError(
    telemetry.query<{ sql: string }>('SELECT formatQuerySingleLine({text:String}) AS sql', { text }),
  )
  const tokens = sqlTokens(written[0]?.sql ?? '')
  if (!tokens) throw new SqlRefused('this statement has signs that are not offered')
  checkTokens(tokens)
  return written[0]?.sql ?? ''
}

const linesOf = async (run: RunStatement, sql: string): Promise<readonly string[]> => {
  const { rows, isCut } = await run(sql)
  if (isCut) throw new SqlRefused('this statement has too many parts')
  return rows.map(([line]) => String(line))
}

/** The pipeline's readers call what the engine refuses a defect of ours; here it is the person's statement. */
async function orConsoleError<Row>(reading: Promise<Row[]>): Promise<Row[]> {
  try {
    return await reading
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    const code = Number((cause as { code?: unknown } | undefined)?.code)
    throw Number.isInteger(code) && cause instanceof Error
      ? new ConsoleError(code, cause.message, cause)
      : error
  }
}

const projectsOf = ({ records }: Deps, { orgId }: OrgScope): Promise<readonly ConsoleProject[]> =>
  records.selectFrom('project').select(['id', 'slug']).where('org_id', '=', orgId).execute()

const running = new WeakMap<Telemetry, Set<string>>()

async function inTurn<Result>(
  telemetry: Telemetry,
  actor: string,
  job: () => Promise<Result>,
): Promise<Result> {
  const actors = running.get(telemetry) ?? new Set()
  running.set(telemetry, actors)
  if (actors.has(actor))
    throw new SqlRefused('your statement before still runs', { hint: 'Each person runs one at a time.' })
  if (actors.size >= MAX_WAITING)
    throw new SqlRefused('others run statements', { hint: 'Try in a few seconds.' })
  actors.add(actor)
  try {
    return await job()
  } finally {
    actors.delete(actor)
  }
}
