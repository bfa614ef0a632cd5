/** One statement of the console, from the text that a person wrote to rows. Why it is safe: docs/decisions/0010-sql-console.md. */
import type { Grant } from '@sonde/access'
import {
  type ConsoleAnswer,
  ConsoleError,
  inProjects,
  type RunStatement,
  type Telemetry,
  withHidden,
} from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { checkTokens, sqlTokens } from './check-tokens.ts'
import { checkResolved, checkTree, treeStatement } from './check-tree.ts'
import { consoleDatabase, type ConsoleProject, SQL_TABLE_NAMES } from './console-tables.ts'
import { refusalOf, SqlRefused } from './sql-refused.ts'
import { createStatementQueue, STATEMENT_LIMITS, type StatementQueue } from './statement-queue.ts'

/** Longer than any statement a person writes by hand; bounds the work of reading one. */
export const MAX_SQL_CHARS = 10_000

// Text that crosses a C boundary; spaces, tabs and line ends are none of these.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

export type SqlInput = {
  readonly text: string
  /** One statement at a time for each: `actorOf(viewer)`. */
  readonly actor: string
}

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'takeConsoleSlot'>

/** Throws `SqlRefused`, also for what the engine gives up; other errors are ours. */
export async function runSql(
  deps: Deps,
  grant: Grant<'event:read', 'org'>,
  input: SqlInput,
): Promise<ConsoleAnswer> {
  const text = input.text.trim().replace(/;$/, '')
  if (text === '') throw new SqlRefused('there is no statement')
  if (text.length > MAX_SQL_CHARS)
    throw new SqlRefused(`a statement has at most ${MAX_SQL_CHARS.toLocaleString('en')} characters`)
  if (CONTROL.test(text)) throw new SqlRefused('this statement has signs that are not offered')
  return queueOf(deps).run({ orgId: grant.orgId, actor: input.actor }, async () => {
    const projects = await projectsOf(deps, grant)
    if (projects.length === 0) throw new SqlRefused('there is no project whose rows could be read')
    const database = consoleDatabase(grant.orgId, projects, await hiddenOf(deps, projects))
    try {
      return await deps.telemetry.console.use(database, async ({ format, run }) => {
        const sql = checkedWords(await format(text))
        // Nothing is computed for the tree of the parser; for names, constants and subqueries of them are.
        checkTree(await linesOf(run, treeStatement(sql)))
        checkResolved(await linesOf(run, `EXPLAIN QUERY TREE ${sql}`), database.name, SQL_TABLE_NAMES)
        return run(sql)
      })
    } catch (error) {
      throw error instanceof ConsoleError ? refusalOf(error, input.text) : error
    }
  })
}

/** The statement as the engine wrote it: that text and no other is run. */
function checkedWords(sql: string): string {
  const tokens = sqlTokens(sql)
  if (!tokens) throw new SqlRefused('this statement has signs that are not offered')
  checkTokens(tokens)
  return sql
}

const linesOf = async (run: RunStatement, sql: string): Promise<readonly string[]> => {
  const { rows, isCut } = await run(sql)
  if (isCut) throw new SqlRefused('this statement has too many parts')
  return rows.map(([line]) => String(line))
}

const projectsOf = (
  { records }: Deps,
  grant: Grant<'event:read', 'org'>,
): Promise<readonly ConsoleProject[]> =>
  records.selectFrom('project').select(['id', 'slug']).where(inProjects(grant)).execute()

/** Issues that were deleted and can still be restored. */
async function hiddenOf({ records }: Deps, projects: readonly ConsoleProject[]): Promise<readonly number[]> {
  const rows = await withHidden(records)
    .selectFrom('hidden_issue')
    .innerJoin('issue', 'issue.id', 'hidden_issue.issue_id')
    .select('issue.id')
    .where(
      'issue.project_id',
      'in',
      projects.map(({ id }) => id),
    )
    .execute()
  return rows.map(({ id }) => id)
}

const queues = new WeakMap<Telemetry, StatementQueue>()

function queueOf({ telemetry, takeConsoleSlot }: Deps): StatementQueue {
  const queue = queues.get(telemetry) ?? createStatementQueue({ ...STATEMENT_LIMITS, takeConsoleSlot })
  queues.set(telemetry, queue)
  return queue
}
