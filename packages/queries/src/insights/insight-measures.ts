/** The SQL of what insight pages measure: over sums of `spans`, in which each row stands for `1 / sample_rate`. */
import type { SpanSum } from '../performance/span-sums.ts'
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

const ROWS = 'sum(counted)'
const rowsWhere = (condition: string): string => `sumIf(counted, ${condition})`
const shareWhere = (condition: string): string => `${rowsWhere(condition)} / ${ROWS}`
/** 0 where there is nothing to divide by. */
const ratio = (part: string, whole: string): string => `if(${whole} > 0, ${part} / ${whole}, 0)`

type Sql = string | ((kind: KindSql) => string)

/** Per minute is the count of `minutes`, a parameter; `loads` is one as well: the page loads that match. */
const MEASURE_SQL: Readonly<Record<InsightMeasure, Sql>> = {
  perMinute: `${ROWS} / {minutes:Float64}`,
  p50: 'times[1]',
  p75: 'times[2]',
  p95: 'times[3]',
  timeShare: 'totalMs / greatest(1e-9, sum(totalMs) OVER ())',
  failureRate: ({ timed }) => ratio(`sumIf(failed, ${timed})`, rowsWhere(timed)),
  success: shareWhere(`startsWith(result, '2')`),
  redirects: shareWhere(`startsWith(result, '3')`),
  clientErrors: shareWhere(`startsWith(result, '4')`),
  serverErrors: shareWhere(`startsWith(result, '5')`),
  transferBytes: ratio('sum(sizes)', 'sum(sized)'),
  decodedBytes: ratio('sum(decodedSizes)', 'sum(decoded)'),
  bytesPerLoad: `sum(sizes) / greatest(1, {loads:Float64})`,
  blocking: shareWhere(`result = 'blocking'`),
  cached: ratio('sum(fromCache)', 'sum(decoded)'),
  hitRate: ratio(rowsWhere(`result = 'hit'`), rowsWhere(`result != ''`)),
  misses: `${rowsWhere(`result = 'miss'`)} / {minutes:Float64}`,
  missMs: `ifNotFinite(quantileBFloat16WeightedMergeIf(0.75)(levels, result = 'miss'), 0)`,
  itemBytes: ratio('sum(sizes)', 'sum(sized)'),
  published: `${rowsWhere(`op = 'queue.publish'`)} / {minutes:Float64}`,
  processed: `${rowsWhere(`op = 'queue.process'`)} / {minutes:Float64}`,
  waitMs: `ifNotFinite(quantileBFloat16WeightedIfMerge(0.75)(waits), 0)`,
  backlog: `if(published > 0 AND processed > 0, ${rowsWhere(`op = 'queue.publish'`)} - ${rowsWhere(`op = 'queue.process'`)}, 0)`,
}

/** What each measure adds up, beside what every group has. */
const SUMMED: { readonly [Measure in InsightMeasure]?: readonly SpanSum[] } = {
  transferBytes: ['sizes', 'sized'],
  decodedBytes: ['decodedSizes', 'decoded'],
  bytesPerLoad: ['sizes'],
  cached: ['fromCache', 'decoded'],
  itemBytes: ['sizes', 'sized'],
  waitMs: ['waits'],
}
const ALWAYS = ['sampled', 'counted', 'spentMs', 'failed', 'levels'] as const satisfies readonly SpanSum[]

/** The sums that `measuresSql` needs. */
export const sumsOf = (measures: readonly InsightMeasure[]): readonly SpanSum[] => [
  ...new Set([...ALWAYS, ...measures.flatMap((measure) => SUMMED[measure] ?? [])]),
]

/** By what sums must be told apart for the measures of a kind. */
export const MEASURED_BY = { op: () => 'op', result: () => 'result' } as const

/** What every group has, and after it the measures of a kind, as a list of `SELECT` over sums. */
export function measuresSql(kind: KindSql, measures: readonly InsightMeasure[]): string {
  return [
    `${ROWS} AS count`,
    'sum(sampled) AS samples',
    `${timesSql(kind, [0.5, 0.75, 0.95])} AS times`,
    'sum(spentMs) AS totalMs',
    ...measures.map((measure) => {
      const sql = MEASURE_SQL[measure]
      return `${typeof sql === 'string' ? sql : sql(kind)} AS ${measure}`
    }),
  ].join(',\n       ')
}

/** Percentiles of what is timed; 0 where nothing is. */
export const timesSql = ({ timed }: KindSql, levels: readonly number[]): string => {
  const [suffix, condition] = timed === '1' ? ['', ''] : ['If', `, ${timed}`]
  return `arrayMap(ms -> ifNotFinite(ms, 0), quantilesBFloat16WeightedMerge${suffix}(${levels.join(', ')})(levels${condition}))`
}
