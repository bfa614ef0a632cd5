/**
 * Navigations that hang: still under way after a long wait, given up after a minute, or left by the person meanwhile. One that was
 * shown in the end is slow and not hung. The recorder tells of one navigation up to three times; all of them are one event.
 */
import type { JsonObject } from '@sonde/protocol/event'
import { NAVIGATION_OP, NAVIGATION_PREFIX, NAVIGATION_PHASES } from '@sonde/protocol/navigation'
import { type DetectorRules, thresholdsOf } from '@sonde/protocol/performance-detectors'
import { textOf } from '../spans/attributes.ts'
import type { Span } from '../spans/span.ts'
import { type Found, MAX_EVIDENCE } from './found.ts'
import { routeOf } from './span-kinds.ts'

const TYPE = 'performance_hung_navigation'
const HUNG: ReadonlySet<string> = new Set(['pending', 'timed_out', 'left'])
const MAX_TEXT = 200

export function findHung(spans: readonly Span[], rules: DetectorRules): Found[] {
  const thresholds = thresholdsOf(rules, TYPE)
  if (thresholds === undefined) return []
  const { min_duration_ms: minMs = 0 } = thresholds
  const found = new Map<string, Found>()
  for (const span of spans) {
    if (span.op !== NAVIGATION_OP || span.durationMs < minMs || !HUNG.has(said(span, 'outcome'))) continue
    // Of several of one navigation the last says most.
    found.set(span.spanId, foundOf(span, thresholds))
  }
  return [...found.values()]
}

const said = ({ attributes }: Span, name: string): string => textOf(attributes, NAVIGATION_PREFIX + name)

function foundOf(span: Span, thresholds: Found['thresholds']): Found {
  const route = routeOf(span).slice(0, MAX_TEXT)
  const requests = requestsOf(span)
  const phase = NAVIGATION_PHASES.find((each) => each === said(span, 'stuck_in'))
  const description = `${route} waits for ${loaderOf(requests, phase)}`
  return {
    type: TYPE,
    op: span.op,
    description,
    parentSpanId: span.parentSpanId,
    count: 1,
    totalMs: span.durationMs,
    thresholds,
    spans: [span],
    route,
    level: 'warning',
    eventKey: `${span.traceId} ${span.spanId}`,
    facts: {
      navigation: {
        id: span.spanId,
        from: said(span, 'from').slice(0, MAX_TEXT),
        to: said(span, 'to').slice(0, MAX_TEXT),
        from_route: said(span, 'from_route').slice(0, MAX_TEXT),
        to_route: route,
        outcome: said(span, 'outcome'),
        trigger: said(span, 'trigger').slice(0, MAX_TEXT),
        build: said(span, 'build').slice(0, MAX_TEXT),
        router: said(span, 'router').slice(0, MAX_TEXT),
        ...(phase !== undefined && { phase }),
        requests: requests.map(({ name, ms }) => ({ name, ...(ms !== undefined && { waited_ms: ms }) })),
      },
    } satisfies JsonObject,
  }
}

type Waited = { readonly name: string; readonly ms: number | undefined }

/** The longest open first; reporters of before name endpoints alone. */
function requestsOf(span: Span): readonly Waited[] {
  const timed = said(span, 'waits') || said(span, 'waiting_for')
  return timed
    .slice(0, 2000)
    .split(', ')
    .filter((text) => text !== '')
    .slice(0, MAX_EVIDENCE)
    .map((text): Waited => {
      const at = text.lastIndexOf(' ')
      const ms = /^\d{1,9}$/.test(text.slice(at + 1)) ? Number(text.slice(at + 1)) : undefined
      return { name: (ms === undefined ? text : text.slice(0, at)).slice(0, MAX_TEXT), ms }
    })
    .toSorted((a, b) => (b.ms ?? 0) - (a.ms ?? 0))
}

/** Part of what makes the issue: without values. */
function loaderOf([first]: readonly Waited[], phase: string | undefined): string {
  if (first) return first.name
  if (phase === 'chunk') return 'code of the route'
  if (phase === 'commit') return 'rendering, everything loaded'
  return 'a promise of the page, nothing on the network'
}
