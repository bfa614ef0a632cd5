/** The sentences on top of the screen: which vitals and routes they are about, and what of it the page is sent. */
import type { Grant } from '@sonde/access'
import {
  type PerformanceFilter,
  type QueryDeps,
  type RouteVitals,
  type VitalReason,
  vitalReasons,
} from '@sonde/queries'
import { placeText, unreadableText } from '../../../../parts/scripts/script-text.ts'
import type { VitalChoice } from './vital-choice.ts'

const EXPLAINED = ['lcp', 'inp', 'cls'] as const
type Explained = (typeof EXPLAINED)[number]
/** Of one vital over all routes. */
const WORST_ROUTES = 3

/** `routes`: those of the filter; not needed where one is selected. */
export async function loadReasons(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  filter: PerformanceFilter,
  { vital, route }: Pick<VitalChoice, 'vital' | 'route'>,
  routes: readonly RouteVitals[],
) {
  const names = EXPLAINED.filter((name) => vital === undefined || vital === name)
  const about = names.flatMap((name) =>
    route === undefined
      ? worstRoutes(routes, name, vital === undefined ? 1 : WORST_ROUTES)
      : [{ name, route }],
  )
  const reasons = about.length === 0 ? [] : await vitalReasons(queries, grant, { ...filter, about })
  return reasons.map(shownReason)
}

/** Those with the most page views that were not good. */
function worstRoutes(routes: readonly RouteVitals[], name: Explained, count: number) {
  const bad = ({ [name]: vital }: RouteVitals): number =>
    vital === undefined ? 0 : vital.needsImprovement + vital.poor
  return routes
    .filter((row) => row[name] !== undefined)
    .toSorted((a, b) => bad(b) - bad(a) || (b[name]?.count ?? 0) - (a[name]?.count ?? 0))
    .slice(0, count)
    .map(({ route, [name]: known }) => ({ name, route, ...(known && { known }) }))
}

/** Places are sent as text. */
function shownReason({ place, unreadable, script, kind, file, late, styleSheet, ...reason }: VitalReason) {
  // Where no map tells its source, what the page loaded.
  const isLateSheet = late.endsWith('.css')
  // A line is known where a picture or a font is named.
  const sheetPlace =
    kind === 'style' || isLateSheet
      ? styleSheet?.place?.source
      : styleSheet?.place && placeText(styleSheet.place)
  const sheet = sheetPlace ?? styleSheet?.path ?? ''
  const source = place === undefined ? '' : kind === 'script' ? placeText(place) : place.source
  return {
    ...reason,
    kind,
    place: source || (kind === 'script' ? '' : file),
    functionName: kind === 'script' ? (place?.functionName ?? script?.functionName ?? '') : '',
    script: script?.source ?? '',
    late: isLateSheet ? sheet : late && sheet ? `${late} of ${sheet}` : late,
    styleSheet: sheet,
    unreadable: unreadable && unreadableText(unreadable),
  }
}
export type ReasonShown = ReturnType<typeof shownReason>
