/**
 * What became of what was received: https://docs.sentry.io/api/organizations/retrieve-event-counts-for-an-organization-v2/ and
 * the older counts of a project and of a key. Sonde counts quantities by the minute.
 */
import { SondeError } from '@sonde/base'
import {
  OUTCOME_GROUPS,
  outcomeStats,
  type OutcomeStats,
  parsePeriodMs,
  projectKeys,
  listProjects,
} from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { projectIds, WINDOW, windowOf } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'

/** As Sentry counts them: what is said of errors is said of messages and of reports of browsers too. */
const ERRORS = ['error', 'default', 'security']
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const Period = z.object({
  ...WINDOW,
  project: projectIds,
  category: z.array(z.string()).optional(),
  outcome: z.array(z.string()).optional(),
  reason: z.array(z.string()).optional(),
})

const FIELDS = ['sum(quantity)', 'sum(times_seen)'] as const
const Quantity = z.partialRecord(z.enum(FIELDS), z.number())
const StatsGroup = z.object({
  by: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .meta({ description: 'Names of `groupBy` with the values of the group.' }),
  totals: Quantity.meta({ description: 'By `field`.' }),
  series: z
    .partialRecord(z.enum(FIELDS), z.array(z.number()))
    .meta({ description: 'By `field`, a number for each of `intervals`.' }),
})

const Point = z.tuple([z.number(), z.number()]).meta({ description: 'Seconds since 1970, and how many.' })

export function statsRoutes(api: Api, { queries }: ApiOptions): void {
  const filterOf = (query: z.output<typeof Period>) => ({
    categories: (query.category ?? []).flatMap((name) => (name === 'error' ? ERRORS : [name])),
    outcomes: query.outcome ?? [],
    reasons: query.reason ?? [],
  })

  api.get(
    '/organizations/:org/stats_v2',
    {
      id: 'countReceived',
      summary: 'Count what was received, by what became of it',
      tag: 'Organizations',
      permission: 'org:read',
      query: Period.extend({
        field: z.array(z.enum(FIELDS)).min(1, 'is sum(quantity) or sum(times_seen)'),
        groupBy: z
          .array(z.string())
          .optional()
          .meta({ description: OUTCOME_GROUPS.join(', ') }),
        interval: z.string().optional().meta({ description: 'As `1h`, the shortest is `1m`.' }),
      }),
      answer: z.object({ start: Time, end: Time, intervals: z.array(Time), groups: z.array(StatsGroup) }),
    },
    async ({ grant, query }) => {
      const { fromMs, toMs } = windowOf(query, queries.clock)
      const groupBy = (query.groupBy ?? []).map((name) => {
        const known = OUTCOME_GROUPS.find((each) => each === name)
        if (known === undefined) throw invalid('groupBy', `is one of ${OUTCOME_GROUPS.join(', ')}`)
        return known
      })
      const stepMs = stepOf(query.interval ?? '1h')
      const input = { fromMs, toMs, stepMs, groupBy, projectIds: query.project, ...filterOf(query) }
      const stats = await outcomeStats(queries, grant, input)
      return {
        start: isoDate(stats.fromMs),
        end: isoDate(stats.toMs),
        intervals: stats.startsMs.map(isoDate),
        groups: stats.groups.map(({ by, total, counts }) => ({
          by,
          totals: Object.fromEntries(query.field.map((field) => [field, total])),
          series: Object.fromEntries(query.field.map((field) => [field, [...counts]])),
        })),
      }
    },
  )

  api.get(
    '/organizations/:org/stats-summary',
    {
      id: 'sumReceived',
      summary: 'Sum up what was received, by project',
      tag: 'Organizations',
      permission: 'org:read',
      query: Period,
      answer: z.object({
        start: Time,
        end: Time,
        projects: z.array(
          z.object({
            id: z.string(),
            slug: z.string(),
            stats: z.array(
              z.object({
                category: z.string(),
                outcomes: z.record(z.string(), z.number()).meta({ description: 'By what became of it.' }),
                totals: z.object({ dropped: z.number(), 'sum(quantity)': z.number() }),
              }),
            ),
          }),
        ),
      }),
    },
    async ({ grant, query }) => {
      const { fromMs, toMs } = windowOf(query, queries.clock)
      const { project: ids } = query
      const stepMs = Math.max(MINUTE_MS, Math.ceil((toMs - fromMs) / MINUTE_MS) * MINUTE_MS)
      const [stats, projects] = await Promise.all([
        outcomeStats(queries, grant, {
          fromMs,
          toMs,
          stepMs,
          projectIds: ids,
          groupBy: ['project', 'category', 'outcome'],
          ...filterOf(query),
        }),
        listProjects(queries, grant),
      ])
      const own = projects.filter(({ id }) => ids.length === 0 || ids.includes(id))
      return {
        start: isoDate(fromMs),
        end: isoDate(toMs),
        projects: own.map(({ id, slug }) => ({ id: String(id), slug, stats: summaryOf(stats, id) })),
      }
    },
  )

  const Counts = z.object({
    since: z.string().optional().meta({ description: 'Seconds since 1970; a day ago unless given.' }),
    until: z.string().optional(),
    resolution: z
      .string()
      .optional()
      .meta({ description: '`1h` unless given; `10s` is a minute, as finer is not counted.' }),
  })

  /** `stat` → the outcomes that it counts; all of them but what never came. */
  const STATS = {
    received: [],
    generated: [],
    rejected: ['rate_limited'],
    blacklisted: ['filtered'],
  } as const

  api.get(
    '/projects/:org/:project/stats',
    {
      id: 'countProjectEvents',
      summary: 'Count the errors that a project received',
      tag: 'Projects',
      permission: 'project:read',
      query: Counts.extend({
        stat: z.enum(['received', 'generated', 'rejected', 'blacklisted']).optional().catch('received'),
      }),
      answer: z.array(Point),
    },
    async ({ grant, query }) => {
      const stats = await outcomeStats(queries, grant, {
        ...countedWindow(query, queries.clock.nowMs()),
        groupBy: ['outcome'],
        categories: ERRORS,
        outcomes: STATS[query.stat ?? 'received'],
      })
      const sent = stats.groups.filter(({ by }) => by.outcome !== 'client_discard')
      return stats.startsMs.map((atMs, at): readonly [number, number] => [
        atMs / 1000,
        sent.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0),
      ])
    },
  )

  api.get(
    '/projects/:org/:project/keys/:key/stats',
    {
      id: 'countKeyEvents',
      summary: 'Count the errors that came with a key',
      tag: 'Keys',
      permission: 'project:read',
      query: Counts,
      answer: z.array(
        z.object({
          ts: z.number(),
          total: z.number(),
          accepted: z.number(),
          filtered: z.number(),
          dropped: z.number(),
        }),
      ),
    },
    async ({ grant, params, query }) => {
      const key = (await projectKeys(queries, grant)).find(({ publicKey }) => publicKey === params.key)
      if (!key) return undefined
      const { startsMs, groups } = await outcomeStats(queries, grant, {
        ...countedWindow(query, queries.clock.nowMs()),
        groupBy: ['outcome'],
        categories: ERRORS,
        keyId: key.id,
      })
      return startsMs.map((atMs, at) => {
        const of = (outcome: string): number =>
          groups.find(({ by }) => by.outcome === outcome)?.counts[at] ?? 0
        const total = groups.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0) - of('client_discard')
        const [accepted, filtered] = [of('accepted'), of('filtered')]
        return { ts: atMs / 1000, total, accepted, filtered, dropped: total - accepted - filtered }
      })
    },
  )
}

/** By category, the most first. `dropped`: everything that was not accepted. */
function summaryOf({ groups }: OutcomeStats, projectId: number) {
  const own = groups.filter(({ by }) => by.project === projectId)
  return [...Map.groupBy(own, ({ by }) => String(by.category))].map(([category, of]) => {
    const outcomes = Object.fromEntries(of.map(({ by, total }) => [String(by.outcome), total]))
    const all = of.reduce((sum, { total }) => sum + total, 0)
    const totals = { dropped: all - (outcomes['accepted'] ?? 0), 'sum(quantity)': all }
    return { category, outcomes, totals }
  })
}

type Counted = {
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly resolution?: string | undefined
}

function countedWindow({ since, until, resolution = '1h' }: Counted, nowMs: number) {
  const toMs = until === undefined ? nowMs : Number(until) * 1000
  const fromMs = since === undefined ? toMs - 24 * HOUR_MS : Number(since) * 1000
  if (!(fromMs >= 0 && toMs > fromMs)) throw invalid('since and until', 'are seconds, the earlier ones first')
  return { fromMs, toMs, stepMs: stepOf(resolution) }
}

function stepOf(text: string): number {
  const stepMs = parsePeriodMs(text)
  if (stepMs === undefined || stepMs === 0) throw invalid('interval', 'is for example 1h, 1d or 30m')
  return Math.max(MINUTE_MS, stepMs)
}

const invalid = (subject: string, what: string): SondeError =>
  new SondeError('invalid', `${subject} ${what}`, { operation: 'count what was received', subject })
