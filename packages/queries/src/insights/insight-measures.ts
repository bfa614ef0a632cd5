/** The SQL of what insight pages measure: over the rows of a group of `spans`, each standing for `1 / sample_rate`. */
import { WEIGHT } from '../performance/performance-filter.ts'
import { HAS_FAILED } from '../performance/transaction-windows.ts'
import type { InsightKindId, InsightMeasure, InsightSplit } from './insight-kinds.ts'

export type KindSql = {
  /** Which rows: ranges of the ordering key of `spans`. */
  readonly where: string
  /** What a row of the list is. */
  readonly key: string
  /** Which of the rows take the time that is measured; `1`: all. */
  readonly timed: string
}

// A root can be one of these too: a worker's transaction is the processing itself. Both values of `is_segment` are named,
// so that the op behind it in the key is a range.
const EITHER = 'is_segment IN (0, 1)'
const below = (op: string): string => `${EITHER} AND (op = '${op}' OR startsWith(op, '${op}.'))`

export const KIND_SQL: Readonly<Record<InsightKindId, KindSql>> = {
  queries: { where: below('db'), key: 'normalized_name', timed: '1' },
  requests: { where: below('http.client'), key: 'peer', timed: '1' },
  // What a script fetched is a request.
  assets: {
    where: `${EITHER} AND startsWith(op, 'resource.') AND op NOT IN ('resource.xmlhttprequest', 'resource.fetch', 'resource.beacon')`,
    key: 'normalized_name',
    timed: '1',
  },
  caches: { where: `${EITHER} AND startsWith(op, 'cache.')`, key: 'normalized_name', timed: '1' },
  queues: {
    where: `${EITHER} AND op IN ('queue.publish', 'queue.process')`,
    key: 'normalized_name',
    timed: `op = 'queue.process'`,
  },
}

export const SPLIT_SQL: Readonly<Record<InsightSplit, string>> = {
  route: 'segment_name',
  endpoint: 'normalized_name',
  operation: 'op',
  code: 'result',
}

const ROWS = 'sum(1 / sample_rate)'
const rowsWhere = (condition: string): string => `sumIf(1 / sample_rate, ${condition})`
const shareWhere = (condition: string): string => `${rowsWhere(condition)} / ${ROWS}`
/** 0 where there is nothing to divide by. */
const ratio = (part: string, whole: string): string => `if(${whole} > 0, ${part} / ${whole}, 0)`

const meanOf = (value: string): string => ratio(`sum(${value} / sample_rate)`, rowsWhere(`${value} > 0`))

type Sql = string | ((kind: KindSql) => string)

/** Per minute is the count of `minutes`, a parameter; `loads` is one as well: the page loads that match. */
const MEASURE_SQL: Readonly<Record<InsightMeasure, Sql>> = {
  perMinute: `${ROWS} / {minutes:Float64}`,
  p50: 'times[1]',
  p75: 'times[2]',
  p95: 'times[3]',
  timeShare: 'totalMs / greatest(1e-9, sum(totalMs) OVER ())',
  failureRate: ({ timed }) => ratio(rowsWhere(`(${timed}) AND ${HAS_FAILED}`), rowsWhere(timed)),
  success: shareWhere(`startsWith(result, '2')`),
  redirects: shareWhere(`startsWith(result, '3')`),
  clientErrors: shareWhere(`startsWith(result, '4')`),
  serverErrors: shareWhere(`startsWith(result, '5')`),
  transferBytes: meanOf('bytes'),
  decodedBytes: meanOf('decoded_bytes'),
  bytesPerLoad: `sum(bytes / sample_rate) / greatest(1, {loads:Float64})`,
  blocking: shareWhere(`result = 'blocking'`),
  cached: ratio(rowsWhere(`bytes = 0 AND decoded_bytes > 0`), rowsWhere(`decoded_bytes > 0`)),
  hitRate: ratio(rowsWhere(`result = 'hit'`), rowsWhere(`result != ''`)),
  misses: `${rowsWhere(`result = 'miss'`)} / {minutes:Float64}`,
  missMs: `ifNotFinite(quantileBFloat16WeightedIf(0.75)(duration_ms, ${WEIGHT}, result = 'miss'), 0)`,
  itemBytes: meanOf('bytes'),
  published: `${rowsWhere(`op = 'queue.publish'`)} / {minutes:Float64}`,
  processed: `${rowsWhere(`op = 'queue.process'`)} / {minutes:Float64}`,
  waitMs: `ifNotFinite(quantileBFloat16WeightedIf(0.75)(wait_ms, ${WEIGHT}, wait_ms > 0), 0)`,
  backlog: `if(published > 0 AND processed > 0, ${rowsWhere(`op = 'queue.publish'`)} - ${rowsWhere(`op = 'queue.process'`)}, 0)`,
}

/** What every group has, and after it the measures of a kind, as a list of `SELECT`. */
export function measuresSql(kind: KindSql, measures: readonly InsightMeasure[]): string {
  const times = kind.timed === '1' ? '' : `If`
  const condition = kind.timed === '1' ? '' : `, ${kind.timed}`
  return [
    `${ROWS} AS count`,
    'count() AS samples',
    `arrayMap(ms -> ifNotFinite(ms, 0), quantilesBFloat16Weighted${times}(0.5, 0.75, 0.95)(duration_ms, ${WEIGHT}${condition})) AS times`,
    'sum(duration_ms / sample_rate) AS totalMs',
    ...measures.map((measure) => {
      const sql = MEASURE_SQL[measure]
      return `${typeof sql === 'string' ? sql : sql(kind)} AS ${measure}`
    }),
  ].join(',\n       ')
}
