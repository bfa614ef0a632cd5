/** Runs a statement of Explore within its share of time and rows, and says what to do when that is not enough. */
import { SondeError } from '@sonde/base'
import { engineErrorCode } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

/** What is asked of Explore cannot be answered: a name nobody knows, or more to read than there is time for. */
export class ExploreError extends SondeError {
  constructor(message: string, hint?: string) {
    super('invalid', message, {
      operation: 'explore spans',
      subject: 'spans',
      ...(hint === undefined ? {} : { hint }),
    })
    this.name = 'ExploreError'
  }
}

const EXPLORE_LIMITS = { seconds: 15, rowsToRead: 300_000_000 } as const

const SETTINGS = `SETTINGS max_execution_time = ${EXPLORE_LIMITS.seconds}, max_rows_to_read = ${EXPLORE_LIMITS.rowsToRead}`
/** What is read, and what makes it less. */
export type Narrowing = { readonly what: string; readonly hint: string }
export const FEWER_SPANS: Narrowing = {
  what: 'spans',
  hint: 'Choose a shorter time, or narrow by project, op or transaction: those lie together.',
}

/** TOO_MANY_ROWS, TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED. */
const TOO_MUCH: ReadonlySet<number | undefined> = new Set([158, 159, 160, 241])

/** Throws `ExploreError` for more than the limits allow. */
export async function boundedQuery<Row>(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  sql: string,
  params: Readonly<Record<string, unknown>>,
  { what, hint }: Narrowing = FEWER_SPANS,
): Promise<Row[]> {
  try {
    return await telemetry.query<Row>(`${sql} ${SETTINGS}`, params)
  } catch (error) {
    if (!TOO_MUCH.has(engineErrorCode((error as { cause?: unknown }).cause))) throw error
    throw new ExploreError(`there are too many ${what} to look at`, hint)
  }
}

/** Collects the values of a statement under names of their own. */
export type Bind = (value: string | number | readonly unknown[], type?: string) => string

export function createBind(prefix: string): {
  readonly bind: Bind
  readonly params: Readonly<Record<string, unknown>>
} {
  const params: Record<string, unknown> = {}
  let count = 0
  return {
    params,
    bind(value, type = 'String') {
      const name = `${prefix}${count++}`
      params[name] = value
      return `{${name}:${type}}`
    },
  }
}
