/** `2026-01-31T10:00:00.123000Z`: six digits, always UTC. */
export const isoDate = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000Z`

export const isoDateOrNull = (ms: number | undefined): string | null =>
  ms === undefined ? null : isoDate(ms)
