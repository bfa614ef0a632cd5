/** One point of a metric, whatever shape it came in. */
export type MetricType = 'counter' | 'gauge' | 'distribution' | 'histogram' | 'summary'

export type Metric = {
  readonly name: string
  readonly type: MetricType
  readonly unit: string
  /** Empty: it stands for itself. */
  readonly temporality: '' | 'delta' | 'cumulative'
  /** Unix milliseconds with a fraction. */
  readonly timestampMs: number
  /** Of a cumulative point; else 0. */
  readonly startMs: number
  readonly value: number
  readonly count: number
  readonly lowest: number
  readonly highest: number
  readonly bucketFrom: readonly number[]
  readonly bucketTo: readonly number[]
  readonly bucketCounts: readonly number[]
  /** 32 lower hex; empty: it belongs to no trace. */
  readonly traceId: string
  readonly spanId: string
  /** JSON text, or empty. */
  readonly exemplars: string
  /** Booleans are `true` and `false`, lists and objects JSON text. */
  readonly attributes: Readonly<Record<string, string | number>>
  /** It goes on with other points of the same name, program and attributes. */
  readonly isSeries: boolean
}

export const NO_BUCKETS = { bucketFrom: [], bucketTo: [], bucketCounts: [] } as const
export type Buckets = Pick<Metric, 'bucketFrom' | 'bucketTo' | 'bucketCounts'>
