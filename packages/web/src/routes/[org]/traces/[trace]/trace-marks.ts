/** Vitals as they are pinned on the time axis. Pure. */
import type { VitalThresholds } from '@sonde/protocol/web-vitals'
import { formatDuration, formatShift } from '../../../../format/format-duration.ts'
import { placeIn, type TimeWindow } from './time-window.ts'

export type TimeMark = {
  readonly text: string
  readonly atMs: number
  readonly rating: 'good' | 'fair' | 'poor'
}

type Vital = {
  readonly name: string
  readonly value: number
  readonly thresholds: VitalThresholds
  readonly atMs: number | null
}

export function vitalMark({ name, value, thresholds: [good, poor] }: Omit<Vital, 'atMs'>) {
  const rating = value <= good ? ('good' as const) : value > poor ? ('poor' as const) : ('fair' as const)
  return {
    text: `${name.toUpperCase()} ${name === 'cls' ? formatShift(value) : formatDuration(value)}`,
    rating,
  }
}

/** Those that have a place. */
export const timeMarks = (vitals: readonly Vital[]): TimeMark[] =>
  vitals.flatMap((vital) => (vital.atMs === null ? [] : [{ ...vitalMark(vital), atMs: vital.atMs }]))

/** Marks that are closer than this part of the width share one label. */
const BESIDE = 0.2

/** Those that would overlap share the place of the first; the worst rating of them is theirs. */
export function labelled(window: TimeWindow, marks: readonly TimeMark[]) {
  const order = ['good', 'fair', 'poor'] as const
  const labels: { place: number; text: string; rating: TimeMark['rating'] }[] = []
  for (const { text, atMs, rating } of marks.toSorted((a, b) => a.atMs - b.atMs)) {
    const place = placeIn(window, atMs)
    if (place < 0 || place > 1) continue
    const last = labels.at(-1)
    if (last && place - last.place < BESIDE) {
      last.text += ` · ${text}`
      if (order.indexOf(rating) > order.indexOf(last.rating)) last.rating = rating
    } else labels.push({ place, text, rating })
  }
  return labels
}
