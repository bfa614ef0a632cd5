/**
 * What is known to be slow in the spans of one transaction or segment. Pure; one pass over spans in the order of their start
 * for each detector; no walk along parents, so a circle among them costs nothing. docs/detectors.md
 */
import type { DetectorRules } from '@sonde/protocol/performance-detectors'
import type { Span } from '../spans/span.ts'
import { findConsecutive } from './consecutive.ts'
import type { Found } from './found.ts'
import { findHung } from './hung.ts'
import { findRepeated } from './repeated.ts'

// Of one transaction. What it does so often that it has more is one of these already.
export const MAX_FOUND = 20
// SDKs send a thousand at most.
const MAX_SPANS = 5000

export function detect(spans: readonly Span[], rules: DetectorRules = {}): readonly Found[] {
  const ordered = spans.slice(0, MAX_SPANS).sort((a, b) => a.startMs - b.startMs)
  return [
    ...findHung(ordered, rules),
    ...findRepeated(ordered, rules),
    ...findConsecutive(ordered, rules),
  ].slice(0, MAX_FOUND)
}
