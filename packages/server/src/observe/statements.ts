/** Looks at every statement of the telemetry engine: spans and metrics of all, and the slowest of an hour for the operator. */
import { currentScope, inSpan, type Metrics, type Tracer } from '@sonde/base'
import { queryName, type Telemetry } from '@sonde/stores'

export type SlowStatement = {
  /** Its tables, and a hash of its text: what error messages call it. No values are in it. */
  readonly name: string
  /** The page, route or job that asked; empty: none is known. */
  readonly origin: string
  readonly requestId: string | undefined
  readonly atMs: number
  readonly tookMs: number
  /** That it answered with. */
  readonly rows: number
  readonly hasFailed: boolean
}

export type SlowStatements = {
  add(statement: SlowStatement): void
  /** Slowest first. */
  list(): readonly SlowStatement[]
}

const HOUR_MS = 3_600_000
/** Everything is quick enough below. */
const SLOW_MS = 200
const KEPT = 20
const BUCKETS_SEC = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The slowest of the last hour, each name once a minute at most: one page must not fill the list. */
export function createSlowStatements(nowMs: () => number): SlowStatements {
  let kept: SlowStatement[] = []
  const young = (): SlowStatement[] => kept.filter(({ atMs }) => nowMs() - atMs < HOUR_MS)
  return {
    add(statement) {
      const same = (other: SlowStatement): boolean =>
        other.name === statement.name && other.origin === statement.origin
      const known = young().find(same)
      if (known && known.tookMs >= statement.tookMs) return
      kept = [...young().filter((other) => !same(other)), statement]
        .toSorted((a, b) => b.tookMs - a.tookMs)
        .slice(0, KEPT)
    },
    list: young,
  }
}

export type StatementTools = {
  readonly tracer: Tracer
  readonly metrics: Metrics
  readonly slow: SlowStatements
  readonly nowMs: () => number
  readonly monotonicMs?: () => number
}

export function observeStatements(
  telemetry: Telemetry,
  { tracer, metrics, slow, nowMs, monotonicMs = () => performance.now() }: StatementTools,
): Telemetry {
  const seconds = metrics.histogram(
    'sonde_telemetry_statement_seconds',
    'Time of statements of the telemetry engine, their wait for a connection included',
    BUCKETS_SEC,
    ['kind'],
  )
  const failures = metrics.counter('sonde_telemetry_statement_failures_total', 'Statements that failed', [
    'kind',
  ])

  async function observed<T>(
    kind: Kind,
    nameOf: () => string,
    rowsOf: (result: T) => number,
    run: () => Promise<T>,
  ) {
    const beganMs = monotonicMs()
    const span = tracer.child({
      name: `${kind} telemetry`,
      kind: 'client',
      attributes: { 'db.system.name': 'clickhouse' },
    })
    span?.set({ 'db.query.summary': nameOf() })
    let rows = 0
    let hasFailed = true
    try {
      const result = await inSpan(span, run)
      rows = rowsOf(result)
      hasFailed = false
      return result
    } finally {
      const tookMs = monotonicMs() - beganMs
      seconds.observe({ kind }, tookMs / 1_000)
      if (hasFailed) failures.inc({ kind })
      if (tookMs >= SLOW_MS) {
        const { origin = '', requestId } = currentScope() ?? {}
        slow.add({ name: `${kind} ${nameOf()}`, origin, requestId, atMs: nowMs(), tookMs, rows, hasFailed })
      }
    }
  }
  return {
    ...telemetry,
    query: <Row>(sql: string, params?: Readonly<Record<string, unknown>>) =>
      observed(
        'query',
        () => queryName(sql),
        (rows: Row[]) => rows.length,
        () => telemetry.query<Row>(sql, params),
      ),
    command: (sql, params) =>
      observed(
        'command',
        () => queryName(sql),
        () => 0,
        () => telemetry.command(sql, params),
      ),
    insert: (table, rows, token) =>
      observed(
        'insert',
        () => table,
        () => rows.length,
        () => telemetry.insert(table, rows, token),
      ),
  }
}

type Kind = 'query' | 'command' | 'insert'
