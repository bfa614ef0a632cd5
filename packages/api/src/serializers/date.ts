import { z } from 'zod'

/** `2026-01-31T10:00:00.123000Z`: six digits, always UTC. */
export const isoDate = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000Z`

export const isoDateOrNull = (ms: number | undefined): string | null =>
  ms === undefined ? null : isoDate(ms)

/** How an answer describes them. */
export const Time = z.string().meta({ format: 'date-time' })
