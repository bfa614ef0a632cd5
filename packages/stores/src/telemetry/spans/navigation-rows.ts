/** Navigations and what was fetched ahead as lines of `TabSeparated`. */
import { NAVIGATION_PHASES } from '@sonde/protocol/navigation'
import { escapeText, milliText } from '../row-text.ts'
import type { NavigationFields, PrefetchFields } from './span-fields.ts'
import { FILTER_COLUMNS, filterText, numberText, ORIGIN_COLUMNS, originText } from './span-rows.ts'

export const NAVIGATION_COLUMNS = [
  ...ORIGIN_COLUMNS,
  'navigation_id',
  'trace_id',
  'timestamp',
  'duration_ms',
  'is_final',
  'from_route',
  'to_route',
  'from_path',
  'to_path',
  'trigger',
  'outcome',
  'reason',
  'visible_after_ms',
  // Each has a column of its own, so that percentiles read nothing else.
  ...NAVIGATION_PHASES.map((phase) => `${phase}_ms` as const),
  'prefetch',
  'cache',
  'cache_age_ms',
  'bytes',
  'requests',
  'build',
  'router',
  'waiting_for',
  ...FILTER_COLUMNS,
] as const

export const PREFETCH_COLUMNS = [
  ...ORIGIN_COLUMNS,
  'prefetch_id',
  'trace_id',
  'timestamp',
  'route',
  'router',
  'issued',
  'used',
  'late',
  'stale',
  'wasted',
  'saved_ms',
  'requests',
  'bytes',
  'wasted_bytes',
  ...FILTER_COLUMNS,
] as const

export function encodeNavigationRow(fields: NavigationFields): string {
  const { phases } = fields
  return [
    originText(fields),
    fields.navigationId,
    fields.traceId,
    milliText(fields.timestampMs),
    numberText(fields.durationMs),
    fields.isFinal ? '1' : '0',
    ...[fields.fromRoute, fields.toRoute, fields.fromPath, fields.toPath].map(escapeText),
    ...[fields.trigger, fields.outcome, fields.reason].map(escapeText),
    optionalText(fields.visibleAfterMs),
    ...NAVIGATION_PHASES.map((phase) => optionalText(phases[phase])),
    escapeText(fields.prefetch),
    escapeText(fields.cache),
    optionalText(fields.cacheAgeMs),
    optionalText(fields.bytes),
    optionalText(fields.requests),
    escapeText(fields.build),
    escapeText(fields.router),
    escapeText(fields.waitingFor),
    filterText(fields),
  ].join('\t')
}

export function encodePrefetchRow(fields: PrefetchFields): string {
  const { issued, used, late, stale, wasted } = fields
  return [
    originText(fields),
    fields.prefetchId,
    fields.traceId,
    milliText(fields.timestampMs),
    escapeText(fields.route),
    escapeText(fields.router),
    ...[issued, used, late, stale, wasted].map((count) => numberText(Math.round(count))),
    numberText(fields.savedMs),
    ...[fields.requests, fields.bytes, fields.wastedBytes].map(optionalText),
    filterText(fields),
  ].join('\t')
}

/** `\\N` is TabSeparated's null. */
const optionalText = (value: number | undefined): string => (value === undefined ? '\\N' : numberText(value))
