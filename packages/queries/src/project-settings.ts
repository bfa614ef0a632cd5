/** What the settings screen of a project shows. Changes are in `@sonde/commands`. */
import type { Grant } from '@sonde/access'
import type { OutcomeReason } from '@sonde/protocol'
import type { DetectorRules } from '@sonde/protocol/performance-detectors'
import {
  type AiPrice,
  type FilterRules,
  type GroupingRules,
  heldNewcomers,
  type NoiseSettings,
  readAllowedDomains,
  readProjectSettings,
  type SamplingRules,
  type ScrubRules,
} from '@sonde/stores'
import type { QueryDeps } from './query-deps.ts'

const DAY_MS = 86_400_000

export type ProjectNewcomers = {
  /** Events and their files that would have made one issue too many. */
  readonly issues: DoorRefusals
  /** How often a release was not listed; its events are stored. */
  readonly releases: DoorRefusals
}

/** What was held back within 24 hours because a project makes only so many a minute. Two ranges of a small table. */
export async function projectNewcomers(
  { records, clock }: Pick<QueryDeps, 'records' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
): Promise<ProjectNewcomers> {
  const sinceMs = clock.nowMs() - DAY_MS
  const of = async (kind: 'issue' | 'release'): Promise<DoorRefusals> => {
    const { held, lastMs } = await heldNewcomers(records, grant, kind, sinceMs)
    return { quantity: held, lastMs }
  }
  return { issues: await of('issue'), releases: await of('release') }
}

export type RateLimit = { readonly count: number; readonly windowSec: number }

export type ProjectSettingsView = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly platform: string
  readonly createdMs: number
  readonly filters: FilterRules
  readonly scrub: ScrubRules
  readonly sampling: SamplingRules
  readonly grouping: GroupingRules
  readonly noise: NoiseSettings
  readonly detectors: DetectorRules
  readonly aiPrices: readonly AiPrice[]
  /** Of all keys together; undefined: no limit. */
  readonly rateLimit: RateLimit | undefined
  /** Domains whose pages may send; empty: all. */
  readonly allowedDomains: readonly string[]
}

/** Undefined when the project was deleted meanwhile. One indexed read. */
export async function projectSettings(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
): Promise<ProjectSettingsView | undefined> {
  const row = await records
    .selectFrom('project')
    .leftJoin('project_setting', 'project_setting.project_id', 'project.id')
    .select(['project.id', 'project.slug', 'project.name', 'project.platform', 'project.created_ms'])
    .select(['value', 'rate_limit_count', 'rate_limit_window_sec', 'allowed_domains'])
    .where('project.id', '=', grant.projectId)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, slug, name, platform } = row
  const settings = readProjectSettings(row.value)
  const rateLimit =
    row.rate_limit_count === null || row.rate_limit_window_sec === null
      ? undefined
      : { count: row.rate_limit_count, windowSec: row.rate_limit_window_sec }
  const allowedDomains = readAllowedDomains(row.allowed_domains)
  return { id, slug, name, platform, createdMs: row.created_ms, ...settings, rateLimit, allowedDomains }
}

const HOUR_MS = 3_600_000
const HOURS = 24

/** What came in with one key within the last 24 hours: items, whatever their category. */
export type KeyUsage = {
  readonly accepted: number
  readonly filtered: number
  readonly rateLimited: number
  /** Everything else that was not stored. */
  readonly other: number
  /** Received per hour, oldest first: 24 numbers, the last one of the hour that runs. */
  readonly hourly: readonly number[]
  /** The start of the minute in which something came last; undefined: nothing did. */
  readonly lastMs: number | undefined
}

/**
 * By key id; a key that nothing came with is missing. What an SDK discarded itself is not counted: it never came. Reads
 * a day of `outcomes` by project and minute: at most keys × 1,440 × reasons small rows.
 */
export async function projectKeyUsage(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
): Promise<ReadonlyMap<number, KeyUsage>> {
  const firstHourMs = Math.floor(clock.nowMs() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS
  const rows = await telemetry.query<{
    keyId: number
    outcome: string
    hour: number
    quantity: number
    lastSec: number
  }>(
    `SELECT key_id AS keyId, outcome, toUInt32(toStartOfHour(minute)) AS hour, sum(quantity) AS quantity,
       toUInt32(max(minute)) AS lastSec
     FROM outcomes
     WHERE project_id = {project:UInt32} AND minute >= {since:DateTime} AND outcome != 'client_discard'
     GROUP BY key_id, outcome, hour`,
    { project: grant.projectId, since: new Date(firstHourMs) },
  )
  const byKey = Map.groupBy(rows, (row) => row.keyId)
  return new Map(
    [...byKey].map(([keyId, own]) => {
      const sum = (outcome: string): number =>
        own.reduce((total, row) => total + (row.outcome === outcome ? row.quantity : 0), 0)
      const hourly = Array.from({ length: HOURS }, () => 0)
      for (const row of own) {
        const at = Math.floor((row.hour * 1000 - firstHourMs) / HOUR_MS)
        hourly[at] = (hourly[at] ?? 0) + row.quantity
      }
      const all = hourly.reduce((total, count) => total + count, 0)
      const [accepted, filtered, rateLimited] = [sum('accepted'), sum('filtered'), sum('rate_limited')]
      const lastMs = Math.max(...own.map((row) => row.lastSec)) * 1000
      const other = all - accepted - filtered - rateLimited
      return [keyId, { accepted, filtered, rateLimited, other, hourly, lastMs }]
    }),
  )
}

type Reason = OutcomeReason<'filtered' | 'rate_limited'>

/** What the door refused within the last 24 hours for one reason. */
export type DoorRefusals = {
  readonly quantity: number
  /** The start of the minute of the last one; undefined: none. */
  readonly lastMs: number | undefined
}

export type ProjectRefusals = {
  readonly overLimit: DoorRefusals
  readonly overSpikes: DoorRefusals
  readonly overSpanCaps: DoorRefusals
  readonly foreignPages: DoorRefusals
}
type Row = { readonly reason: Reason; readonly quantity: number; readonly lastSec: number }

/** Over the project's own limit, over what projects without one may send, over its caps of spans, and from pages of foreign domains. Reads a day of `outcomes` by project and minute. */
export async function projectRefusals(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
): Promise<ProjectRefusals> {
  const rows = await telemetry.query<Row>(
    `SELECT reason, sum(quantity) AS quantity, toUInt32(max(minute)) AS lastSec FROM outcomes
     WHERE project_id = {project:UInt32} AND minute >= {since:DateTime}
       AND reason IN ('project_quota', 'spike_events', 'spike_spans', 'spike_bytes', 'span_cap', 'span_burst',
         'allowed_domains')
     GROUP BY reason`,
    { project: grant.projectId, since: new Date(clock.nowMs() - DAY_MS) },
  )
  const of = (...reasons: readonly Reason[]): DoorRefusals => {
    const own = rows.filter(({ reason }) => reasons.includes(reason))
    if (own.length === 0) return { quantity: 0, lastMs: undefined }
    const quantity = own.reduce((sum, row) => sum + row.quantity, 0)
    return { quantity, lastMs: Math.max(...own.map(({ lastSec }) => lastSec)) * 1000 }
  }
  return {
    overLimit: of('project_quota'),
    overSpikes: of('spike_events', 'spike_spans', 'spike_bytes'),
    overSpanCaps: of('span_cap', 'span_burst'),
    foreignPages: of('allowed_domains'),
  }
}
