/** What a detector found, and what all of them share. */
import type { JsonObject, NormalizedEvent } from '@sonde/protocol/event'
import type { PerformanceType } from '@sonde/protocol/issue-category'
import type { Span } from '../spans/span.ts'

export type Found = {
  readonly type: PerformanceType
  readonly op: string
  /** Without values: part of what makes the issue. */
  readonly description: string
  readonly parentSpanId: string
  readonly count: number
  readonly totalMs: number
  /** Had they run at the same time; undefined where that is not what is wrong. */
  readonly savedMs?: number
  /** What was in force. */
  readonly thresholds: Readonly<Record<string, number>>
  /** The first of them. */
  readonly spans: readonly Span[]
  /** Of one thing that is told several times: what tells it apart. Its event is made once, and counts by itself. */
  readonly eventKey?: string
  /** The transaction's, unless told. */
  readonly route?: string
  /** `info` unless told. */
  readonly level?: NormalizedEvent['level']
  /** More of the evidence. */
  readonly facts?: JsonObject
}

/** What an event of an issue takes over from where it was found. */
export type FoundIn = Pick<NormalizedEvent, 'platform' | 'timestamp' | 'received'> & Partial<NormalizedEvent>

export const MAX_EVIDENCE = 10
/** Clocks of SDKs round. */
export const OVERLAP_MS = 1

export const endOf = ({ startMs, durationMs }: Pick<Span, 'startMs' | 'durationMs'>): number =>
  startMs + durationMs
