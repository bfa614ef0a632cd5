/**
 * What the reporting SDK costs the people whose browsers run it: integrations that pages carry and that sent nothing, what a
 * page load sends, and the SDK's own script where it is one. Of Sentry's browser SDKs and Sonde's. docs/coverage.md
 */
import type { Grant } from '@sonde/access'
import { boundedQuery, type Narrowing } from '../explore/bounded-query.ts'
import { dayText } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { sinceWeek } from '../weeks.ts'
import { SDK_WEIGHTS } from './sdk-weights.ts'

const SDK_DAYS = 30

export type CarriedSdk = {
  readonly name: string
  readonly version: string
  /** As the newest of its events that were read name them; empty: it does not say. */
  readonly integrations: readonly string[]
  /** As a bundle with these would have it; undefined: it is none that was measured. */
  readonly gzipBytes: number | undefined
}
export type CarriedIntegration = {
  readonly name: string
  /** What it adds to a bundle, measured for one version; undefined: not measured. */
  readonly gzipBytes: number | undefined
  /** Of what only it makes, in 30 days; undefined: what it does cannot be told from what is stored. */
  readonly sent: number | undefined
  /** Made by it and dropped by the SDK, mostly for a sample rate. */
  readonly discarded: number
}
export type SdkScript = {
  /** Without what a build puts into its name. */
  readonly name: string
  readonly loads: number
  /** Means of those that told; 0: nobody did, as of another host without `Timing-Allow-Origin`. */
  readonly transferBytes: number
  readonly decodedBytes: number
  readonly durationMs: number
}
export type SdkWeight = {
  /** Newest first. */
  readonly sdks: readonly CarriedSdk[]
  /** Of the newest SDK that names them: heaviest first. */
  readonly integrations: readonly CarriedIntegration[]
  /** Of pages, counted up from what was sampled. */
  readonly pageLoads: number
  /** Items that were received, by category: of the whole project. */
  readonly received: readonly { readonly category: string; readonly items: number }[]
  readonly scripts: readonly SdkScript[]
  /** Long frames of pages, and those of them in which a script of the SDK ran longest. Undefined: nothing tells. */
  readonly frames:
    | { readonly count: number; readonly ms: number; readonly sdkCount: number; readonly sdkMs: number }
    | undefined
}

const DAY_MS = 86_400_000
const MAX_VERSIONS = 5
const EVENTS_A_VERSION = 5
const MAX_SCRIPTS = 5
const FEWER: Narrowing = { what: 'events', hint: 'The project has too many events of 30 days for this.' }
const BROWSER_SDK = `(startsWith(sdk_name, 'sentry.javascript.') OR startsWith(sdk_name, 'sonde.javascript.')) AND platform = 'javascript'`
// The names under which both are loaded as scripts of their own.
const SCRIPT = String.raw`(?i)(?:sentry-cdn\.com/|/sonde(?:-feedback)?\.js|/(?:[\w.-]*\bsentry\b[\w.-]*|bundle(?:\.\w+){0,4}\.min)\.js)(?:[?#]|$)|js\.sentry-cdn\.com`

/** Throws `ExploreError` for more than may be read. */
export async function sdkWeight(
  deps: Pick<QueryDeps, 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'project'>,
): Promise<SdkWeight> {
  const nowMs = deps.clock.nowMs()
  const sinceMs = nowMs - SDK_DAYS * DAY_MS
  const params = { project: grant.projectId, since: sinceMs, week: dayText(sinceMs), script: SCRIPT }
  const [sdks, received, discarded, mechanisms, pages, scripts, frames] = await Promise.all([
    carriedSdks(deps, params),
    outcomesOf(deps, params, "outcome = 'accepted'"),
    outcomesOf(deps, params, "outcome = 'client_discard'"),
    mechanismsOf(deps, params),
    pageLoadsOf(deps, params),
    scriptsOf(deps, params),
    framesOf(deps, params),
  ])
  const naming = sdks.find(({ integrations }) => integrations.length > 0)
  const evidence: Evidence = { received, discarded, ...mechanisms, pages: pages.rows }
  const integrations = (naming?.integrations ?? [])
    .map((name): CarriedIntegration => ({
      name,
      gzipBytes: naming && isMeasured(naming) ? SDK_WEIGHTS.integrations[name] : undefined,
      sent: USES[name]?.sent(evidence),
      discarded: USES[name]?.discarded?.(evidence) ?? 0,
    }))
    .toSorted((a, b) => (b.gzipBytes ?? 0) - (a.gzipBytes ?? 0) || a.name.localeCompare(b.name))
  return {
    sdks,
    integrations,
    pageLoads: Math.round(pages.loads),
    received: [...received]
      .map(([category, items]) => ({ category, items }))
      .filter(({ category }) => !category.endsWith('_byte') && category !== 'internal'),
    scripts,
    frames,
  }
}

/** Integrations that are in a bundle and sent nothing in 30 days: what a summary says in one sentence. */
export const unusedIntegrations = ({ integrations }: Pick<SdkWeight, 'integrations'>) =>
  integrations.filter(({ sent }) => sent === 0)

type Evidence = {
  readonly received: ReadonlyMap<string, number>
  readonly discarded: ReadonlyMap<string, number>
  readonly console: number
  readonly httpClient: number
  readonly observer: number
  readonly pages: number
}
type Use = {
  readonly sent: (evidence: Evidence) => number
  readonly discarded?: (evidence: Evidence) => number
}
const ofCategories = (...categories: readonly string[]): Use => {
  const sumOf = (counts: ReadonlyMap<string, number>): number =>
    categories.reduce((sum, category) => sum + (counts.get(category) ?? 0), 0)
  return { sent: ({ received }) => sumOf(received), discarded: ({ discarded }) => sumOf(discarded) }
}
/** What only that integration makes. Others add to events, or do nothing that is stored: of those nothing is said. */
const USES: Readonly<Record<string, Use | undefined>> = {
  BrowserTracing: { ...ofCategories('transaction'), sent: ({ pages }) => pages },
  Replay: ofCategories('replay'),
  BrowserSession: ofCategories('session'),
  Feedback: ofCategories('feedback'),
  BrowserProfiling: ofCategories('profile', 'profile_chunk', 'profile_chunk_ui'),
  ConsoleLogs: ofCategories('log_item'),
  CaptureConsole: { sent: ({ console }) => console },
  HttpClient: { sent: ({ httpClient }) => httpClient },
  ReportingObserver: { sent: ({ observer }) => observer },
}

type Deps = Pick<QueryDeps, 'telemetry'>
type Params = Readonly<Record<string, unknown>>
const SINCE = `project_id = {project:UInt32} AND ${sinceWeek('toMonday({week:Date})')} AND timestamp >= {since:DateTime64(3)}`

/** Only events name integrations, deep in their payload: of a few of the newest of each version it is read. */
async function carriedSdks(deps: Deps, params: Params): Promise<readonly CarriedSdk[]> {
  const newest = await boundedQuery<{ name: string; version: string; issue: number; event: string }>(
    deps,
    `SELECT sdk_name AS name, sdk_version AS version, issue_id AS issue, toString(event_id) AS event FROM events
     WHERE ${SINCE} AND ${BROWSER_SDK}
     ORDER BY timestamp DESC, event_id LIMIT ${EVENTS_A_VERSION} BY sdk_name, sdk_version
     LIMIT ${MAX_VERSIONS * EVENTS_A_VERSION}`,
    params,
    FEWER,
  )
  if (newest.length === 0) return []
  const payloads = await deps.telemetry.query<{ event: string; integrations: readonly string[] }>(
    `SELECT toString(event_id) AS event, JSONExtract(payload, 'sdk', 'integrations', 'Array(String)') AS integrations
     FROM events WHERE ${SINCE} AND issue_id IN {issues:Array(UInt64)} AND event_id IN {events:Array(FixedString(32))}`,
    { ...params, issues: newest.map(({ issue }) => issue), events: newest.map(({ event }) => event) },
  )
  const of = new Map(payloads.map(({ event, integrations }) => [event, integrations]))
  return [...Map.groupBy(newest, ({ name, version }) => JSON.stringify([name, version])).values()]
    .slice(0, MAX_VERSIONS)
    .map((list) => {
      const { name, version } = list[0]!
      const integrations = [...new Set(list.flatMap(({ event }) => of.get(event) ?? []))]
      return { name, version, integrations, gzipBytes: bundleBytes({ name, integrations }) }
    })
}

const isMeasured = ({ name }: Pick<CarriedSdk, 'name'>): boolean => name.startsWith('sentry.javascript.')

function bundleBytes({ name, integrations }: Pick<CarriedSdk, 'name' | 'integrations'>): number | undefined {
  if (!isMeasured({ name }) || integrations.length === 0) return undefined
  const added = integrations.map((one) => SDK_WEIGHTS.integrations[one] ?? 0)
  return added.reduce((sum, bytes) => sum + bytes, SDK_WEIGHTS.baseGzipBytes)
}

async function outcomesOf(deps: Deps, params: Params, which: string): Promise<ReadonlyMap<string, number>> {
  const rows = await deps.telemetry.query<{ readonly category: string; readonly items: number }>(
    `SELECT category, sum(quantity) AS items FROM outcomes
     WHERE project_id = {project:UInt32} AND minute >= toDateTime({since:DateTime64(3)}) AND ${which}
     GROUP BY category ORDER BY items DESC, category`,
    params,
  )
  return new Map(rows.map(({ category, items }) => [category, items]))
}

async function mechanismsOf(deps: Deps, params: Params) {
  const mechanism = "tags['mechanism']"
  const [row] = await boundedQuery<Pick<Evidence, 'console' | 'httpClient' | 'observer'>>(
    deps,
    `SELECT countIf(${mechanism} IN ('console', 'auto.core.capture_console') OR tags['logger'] = 'console') AS console,
       countIf(${mechanism} = 'http.client' OR startsWith(${mechanism}, 'auto.http.client')) AS httpClient,
       countIf(startsWith(title, 'ReportingObserver [')) AS observer
     FROM events WHERE ${SINCE} AND ${BROWSER_SDK}`,
    params,
    FEWER,
  )
  return row ?? { console: 0, httpClient: 0, observer: 0 }
}

async function pageLoadsOf(deps: Deps, params: Params) {
  const [row] = await boundedQuery<{ readonly loads: number; readonly rows: number }>(
    deps,
    `SELECT sumIf(1 / sample_rate, op = 'pageload') AS loads, count() AS rows FROM spans
     WHERE ${SINCE} AND is_segment = 1 AND op IN ('pageload', 'navigation')`,
    params,
    FEWER,
  )
  return row ?? { loads: 0, rows: 0 }
}

const scriptsOf = (deps: Deps, params: Params) =>
  boundedQuery<SdkScript>(
    deps,
    `SELECT normalized_name AS name, round(sum(1 / sample_rate)) AS loads,
       round(ifNotFinite(avgIf(bytes, bytes > 0), 0)) AS transferBytes,
       round(ifNotFinite(avgIf(decoded_bytes, decoded_bytes > 0), 0)) AS decodedBytes, avg(duration_ms) AS durationMs
     FROM spans WHERE ${SINCE} AND is_segment = 0 AND op = 'resource.script' AND match(name, {script:String})
     GROUP BY name ORDER BY loads DESC, name LIMIT ${MAX_SCRIPTS}`,
    params,
    FEWER,
  )

async function framesOf(deps: Deps, params: Params): Promise<SdkWeight['frames']> {
  const isOwn = `match(strings['code.filepath'], {script:String})`
  const [row] = await boundedQuery<NonNullable<SdkWeight['frames']>>(
    deps,
    `SELECT count() AS count, sum(duration_ms) AS ms, countIf(${isOwn}) AS sdkCount,
       sumIf(duration_ms, ${isOwn}) AS sdkMs
     FROM spans WHERE ${SINCE} AND is_segment = 0 AND op = 'ui.long-animation-frame'`,
    params,
    FEWER,
  )
  return row && row.count > 0 ? row : undefined
}
