const HOUR_MS = 3_600_000

export const OUTCOME_PERIODS = [
  { id: '1h', name: 'Hour', periodMs: HOUR_MS },
  { id: '24h', name: '24 hours', periodMs: 24 * HOUR_MS },
  { id: '7d', name: '7 days', periodMs: 168 * HOUR_MS },
  { id: '30d', name: '30 days', periodMs: 720 * HOUR_MS },
] as const
