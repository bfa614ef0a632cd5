/** Runs a statement of Explore within its share of time and rows, and says what to do when that is not enough. */
import type { QueryDeps } from '../query-deps.ts'
import { ExploreError } from './explore-error.ts'

const EXPLORE_LIMITS = { seconds: 15, rowsToRead: 300_000_000 } as const

const SETTINGS = `SETTINGS max_execution_time = ${EXPLORE_LIMITS.seconds}, max_rows_to_read = ${EXPLORE_LIMITS.rowsToRead}`
const HINT = 'Choose a shorter time, or narrow by project, op or transaction: those lie together.'

/** TOO_MANY_ROWS, TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED. */
const TOO_MUCH: ReadonlySet<string> = new Set(['158', '159', '160', '241'])

/** Throws `ExploreError` for more than the limits allow. */
export async function boundedQuery<Row>(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  sql: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  try {
    return await telemetry.query<Row>(`${sql} ${SETTINGS}`, params)
  } catch (error) {
    const code = (error as { cause?: { code?: unknown } }).cause?.code
    if (!TOO_MUCH.has(String(code))) throw error
    throw new ExploreError('there are too many spans to look at', HINT)
  }
}
