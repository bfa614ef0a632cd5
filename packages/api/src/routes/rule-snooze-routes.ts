/** Mutes a rule for everybody and ends that. https://docs.sentry.io/api/alerts/mute-an-issue-alert-rule/ */
import type { Grant } from '@sonde/access'
import { updateAlertRule } from '@sonde/commands'
import { alertRule } from '@sonde/queries'
import { z } from 'zod'
import { refuse } from '../alert-forms/form.ts'
import { type ApiOptions, notFound } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { isoDate, Time } from '../serializers/date.ts'
import { idOf } from './alert-directory.ts'

const PATHS = [
  ['issue', '/projects/:org/:project/rules/:rule/snooze'],
  ['metric', '/projects/:org/:project/alert-rules/:rule/snooze'],
  ['release', '/projects/:org/:project/release-rules/:rule/snooze'],
] as const

/** Far enough for what has no end. */
const FOREVER_MS = Date.UTC(9999, 11, 31)

const Snooze = z
  .object({
    ruleId: z.int().nullable(),
    alertRuleId: z.int().nullable(),
    target: z.literal('everyone'),
    userId: z.literal('everyone'),
    ownerId: z.null(),
    until: z.union([Time, z.literal('forever')]),
    dateAdded: Time,
  })
  .meta({ id: 'Snooze' })

const WHO = 'is everyone: whoever wants less has settings of their own'
const UNTIL = 'is a time that is not over, or null for no end'
const SnoozeFields = z.object({
  target: z.literal('everyone', WHO).default('everyone'),
  until: z.string(UNTIL).nullable().default(null).meta({
    description: 'ISO 8601; null and `forever`: it has no end.',
  }),
})

const NAMES = { issue: 'IssueRule', metric: 'MetricRule', release: 'ReleaseRule' } as const

export function ruleSnoozeRoutes(api: Api, { queries, commands }: ApiOptions): void {
  const common = { tag: 'Alerts', permission: 'alert:write' } as const
  for (const [kind, path] of PATHS) {
    const find = async (grant: Grant<'alert:write', 'project'>, ref: string) => {
      const row = await alertRule(queries, grant, idOf(ref))
      if (row?.kind === kind) return row
      throw notFound('mute a rule')
    }

    api.post(
      path,
      {
        ...common,
        id: `mute${NAMES[kind]}`,
        summary: 'Mute a rule for everybody',
        body: SnoozeFields,
        answer: Snooze,
        status: 201,
      },
      async ({ grant, params, body: { target, until } }) => {
        const row = await find(grant, params.rule)
        const untilMs = until === null || until === 'forever' ? FOREVER_MS : Date.parse(until)
        const nowMs = queries.clock.nowMs()
        if (!(untilMs > nowMs && untilMs <= FOREVER_MS)) refuse('until', UNTIL)
        await updateAlertRule(commands, grant, { ruleId: row.id, mutedUntilMs: untilMs })
        return {
          ruleId: kind === 'metric' ? null : row.id,
          alertRuleId: kind === 'metric' ? row.id : null,
          target,
          userId: 'everyone' as const,
          ownerId: null,
          until: untilMs === FOREVER_MS ? ('forever' as const) : isoDate(untilMs),
          dateAdded: isoDate(nowMs),
        }
      },
    )

    api.delete(
      path,
      { ...common, id: `unmute${NAMES[kind]}`, summary: 'End that a rule is muted' },
      async ({ grant, params }) => {
        const row = await find(grant, params.rule)
        await updateAlertRule(commands, grant, { ruleId: row.id, mutedUntilMs: null })
      },
    )
  }
}
