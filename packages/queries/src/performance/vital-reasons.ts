/**
 * What a route's vital mostly comes from, as a sentence says it: "INP p75 340 ms on /cart: 61 % in
 * `src/cart/recalc.ts:88`, @pay, since 4.2". docs/vitals-causes.md
 */
import type { Grant } from '@sonde/access'
import { fileOwners } from '../ownership/file-owners.ts'
import type { QueryDeps } from '../query-deps.ts'
import { findComponents } from '../scripts/find-components.ts'
import { resolveScripts } from '../scripts/resolve-scripts.ts'
import {
  codePosition,
  placeOf,
  positionOf,
  type SourcePlace,
  type Unreadable,
  unreadableOf,
} from '../scripts/script-position.ts'
import type { PerformanceFilter } from './performance-filter.ts'
import {
  type CauseInput,
  type CauseRow,
  causeRows,
  type CauseSums,
  causeSums,
  type ExplainedVital,
  releaseRows,
} from './vital-cause-rows.ts'
import { lateOf, mainCause, type ReasonKind, resourceName } from './vital-causes-ranked.ts'
import { visitSample, vitalConditions } from './vital-conditions.ts'
import { type Since, sinceRelease } from './vital-since.ts'

export type VitalReason = {
  readonly name: ExplainedVital
  readonly route: string
  readonly p75: number
  /** Page views that were measured. */
  readonly samples: number
  readonly kind: ReasonKind
  /** Of the sum of all values, 0 to 1. */
  readonly share: number
  /** Name of the picture, without the letters that change with every build; empty: none. */
  readonly resource: string
  readonly element: string
  readonly component: string
  /** Name of the component's file without folders, as it was told. */
  readonly file: string
  /** Where the script was written, or where the component is declared. */
  readonly place: SourcePlace | undefined
  /** The longest one of the interactions, as the browser told it. */
  readonly script: { readonly source: string; readonly functionName: string } | undefined
  readonly unreadable: Unreadable | undefined
  /** Of CLS the name of the font or style sheet that had just come before most of it; empty: none. */
  readonly late: string
  /**
   * The style sheet that was waited for, that names the picture or the font, or that was late itself: its path, and its
   * source where a map tells.
   */
  readonly styleSheet: { readonly path: string; readonly place: SourcePlace | undefined } | undefined
  /** Of the file; empty: unknown. */
  readonly owners: readonly string[]
  readonly since: Since | undefined
}

export type VitalReasonsInput = PerformanceFilter & {
  readonly about: readonly {
    readonly name: ExplainedVital
    readonly route: string
    /** What the window's page views tell of it, where that is known: of very many a part is read for the causes. */
    readonly known?: Pick<VitalReason, 'p75' | 'samples'>
  }[]
}

/** A share of a half is then known within a point, of a twentieth within half a point. */
const MAX_VISITS = 20_000

/** Releases before the window are what its releases are compared with. */
const COMPARED_MS = 30 * 86_400_000
/** Clocks of browsers differ by so much; what is later was moved when it came. */
const MAX_AHEAD_MS = 60_000

/** In the order asked, without those of which nothing was told. Three passes over the rows of one vital each. */
export async function vitalReasons(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  grant: Grant<'event:read', 'project'>,
  { about, ...filter }: VitalReasonsInput,
): Promise<readonly VitalReason[]> {
  const found = await Promise.all(about.map((one) => reasonOf(deps, grant, filter, one)))
  const reasons = found.filter((reason) => reason !== undefined)
  const owners = await fileOwners(
    deps,
    grant.projectId,
    reasons.flatMap((reason) => ownedFile(reason) ?? []),
  )
  return reasons.map((reason) => ({ ...reason, owners: owners.get(ownedFile(reason) ?? '') ?? [] }))
}

const ownedFile = ({ place, styleSheet }: VitalReason): string | undefined =>
  (place ?? styleSheet?.place)?.source

async function reasonOf(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  grant: Grant<'event:read', 'project'>,
  filter: PerformanceFilter,
  { name, route, known }: VitalReasonsInput['about'][number],
): Promise<VitalReason | undefined> {
  const toMs = Math.min(filter.toMs, deps.clock.nowMs() + MAX_AHEAD_MS)
  // All that is stored may be asked for; then nothing lies before it.
  const comparedFromMs = Math.max(0, Math.min(filter.fromMs, toMs - COMPARED_MS))
  const where = await vitalConditions(deps, grant, { ...filter, fromMs: comparedFromMs, name, route })
  if (where === undefined) return undefined
  const { sql: sampled } = visitSample(known?.samples, MAX_VISITS)
  const read = { ...where, sql: `${where.sql} ${sampled}` }
  const input: CauseInput = { name, where: read, fromMs: filter.fromMs, toMs }
  const [sums, rows, releases] = await Promise.all([
    causeSums(deps, input),
    causeRows(deps, input),
    releaseRows(deps, input),
  ])
  if (sums === undefined || sums.whole <= 0 || (name === 'cls' && isStill(sums))) return undefined
  const answers = await resolveScripts(deps, name === 'inp' ? rows.map(positionOf) : [])
  const main = mainCause(
    name,
    rows.map((row, at) => ({ ...row, place: placeOf(answers[at]) })),
    sums.whole,
  )
  if (main === undefined) return undefined
  const { kind, share, resource, first, cause } = main
  const late = kind === 'shift' ? lateOf(cause) : undefined
  const everOf = new Map<string, number>()
  for (const row of cause) everOf.set(row.release, (everOf.get(row.release) ?? 0) + everCost(kind, row))
  const isOneRelease = (filter.release ?? []).length > 0
  const at = rows.findIndex((row) => row.source === first.source && row.character === first.character)
  return {
    name,
    route,
    p75: known?.p75 ?? sums.p75,
    samples: known?.samples ?? sums.samples,
    kind,
    share,
    resource,
    element: first.element,
    ...(kind === 'script' || kind === 'first_byte' || kind === 'style'
      ? NO_COMPONENT
      : { component: first.component, file: first.file }),
    place: kind === 'script' ? first.place : await declared(deps, input, kind, cause),
    script:
      name === 'inp' && first.source !== ''
        ? { source: first.source, functionName: first.functionName }
        : undefined,
    unreadable: kind === 'script' ? unreadableOf(answers[at], first.release) : undefined,
    late: resourceName(late?.late ?? ''),
    styleSheet: await styleSheetOf(deps, kind, late ?? first),
    owners: [],
    since:
      isOneRelease || kind === 'first_byte'
        ? undefined
        : sinceRelease(
            releases.map(({ release, samples, visits }) => ({
              release,
              samples,
              mean: (everOf.get(release) ?? 0) / visits,
            })),
          ),
  }
}

/** Below it a shift is shown as 0. */
const MIN_SHIFT = 0.0005
/** Most pages move by a hair somewhere: the largest cause of nothing to mend is nothing to say. */
const isStill = ({ p75, bad }: CauseSums): boolean => p75 < MIN_SHIFT || bad === 0

const NO_COMPONENT = { component: '', file: '' } as const

const everCost = (kind: ReasonKind, { everOwn, everLoad, everStyle, everWhole }: CauseRow): number =>
  kind === 'load'
    ? everLoad
    : kind === 'style'
      ? everStyle
      : kind === 'script' || kind === 'shift'
        ? everOwn
        : everWhole

/** Where the component is declared: asked of the release that has the most of it. */
async function declared(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  { fromMs, toMs }: CauseInput,
  kind: ReasonKind,
  [first]: readonly CauseRow[],
): Promise<SourcePlace | undefined> {
  if (first === undefined || first.component === '' || kind === 'first_byte' || kind === 'style')
    return undefined
  const { projectId, release, component, file } = first
  const [place] = await findComponents(deps, { fromMs, toMs, projectId }, [{ release, component, file }])
  return place
}

const IS_SHEET = /\.css$/

/** Led to its source by the release's uploads: no browser tells a debug id of a style sheet. */
async function styleSheetOf(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  kind: ReasonKind,
  { projectId, release, dist, source, sheet, namedIn, late }: CauseRow,
): Promise<VitalReason['styleSheet']> {
  // A sheet that was late may be about fonts of others (`/css2` of Google): then its own name says enough.
  const named = namedIn || (IS_SHEET.test(late) ? late : '')
  const path = kind === 'style' ? sheet : kind === 'load' || kind === 'shift' ? named : ''
  if (path === '') return undefined
  const styleText =
    kind === 'load' ? resourceName(source) : kind === 'shift' && namedIn !== '' ? resourceName(late) : ''
  const file = { projectId, release, url: path, debugId: '', dist }
  const [answer] = await resolveScripts(deps, [codePosition(file, { styleText })])
  return { path, place: placeOf(answer) }
}
