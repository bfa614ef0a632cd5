const HOUR_MS = 3_600_000

/** `buckets` and `step`: the bars of the trends, and what one stands for. */
export const OUTCOME_PERIODS = [
  { id: '1h', name: 'Hour', inWords: '1 hour', periodMs: HOUR_MS, buckets: 13 },
  { id: '24h', name: '24 hours', inWords: '24 hours', periodMs: 24 * HOUR_MS, buckets: 25 },
  { id: '7d', name: '7 days', inWords: '7 days', periodMs: 168 * HOUR_MS, buckets: 29 },
  { id: '30d', name: '30 days', inWords: '30 days', periodMs: 720 * HOUR_MS, buckets: 31 },
] as const
