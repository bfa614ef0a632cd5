/** Mutes a rule for everybody and ends that. https://docs.sentry.io/api/alerts/mute-an-issue-alert-rule/ */
import { updateAlertRule } from '@sonde/commands'
import { alertRule } from '@sonde/queries'
import { refuse } from '../alert-forms/form.ts'
import { type Api, type ApiContext, type ApiOptions, projectGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { isoDate } from '../serializers/date.ts'
import { idParam } from './alert-directory.ts'

const PATHS = [
  ['issue', '/projects/:org/:project/rules/:rule/snooze'],
  ['metric', '/projects/:org/:project/alert-rules/:rule/snooze'],
  ['release', '/projects/:org/:project/release-rules/:rule/snooze'],
] as const

/** Far enough for what has no end. */
const FOREVER_MS = Date.UTC(9999, 11, 31)

export function ruleSnoozeRoutes(api: Api, { queries, commands }: ApiOptions): void {
  for (const [kind, path] of PATHS) {
    const find = async (c: ApiContext) => {
      const grant = await projectGrant(c, 'alert:write')
      const row = await alertRule(queries, grant, idParam(c, 'rule'))
      return { grant, row: row?.kind === kind ? row : undefined }
    }

    api.post(path, async (c) => {
      const { grant, row } = await find(c)
      if (!row) return c.notFound()
      const body = await jsonBody(c)
      const target = body.text('target') ?? 'everyone'
      if (target !== 'everyone') refuse('target', 'is everyone: whoever wants less has settings of their own')
      const until = body.value('until') ?? null
      const untilMs =
        until === null || until === 'forever'
          ? FOREVER_MS
          : typeof until === 'string'
            ? Date.parse(until)
            : NaN
      const nowMs = queries.clock.nowMs()
      if (!(untilMs > nowMs && untilMs <= FOREVER_MS))
        refuse('until', 'is a time that is not over, or null for no end')
      await updateAlertRule(commands, grant, { ruleId: row.id, mutedUntilMs: untilMs })
      const of =
        kind === 'metric' ? { ruleId: null, alertRuleId: row.id } : { ruleId: row.id, alertRuleId: null }
      return c.json(
        {
          ...of,
          target,
          userId: 'everyone',
          ownerId: null,
          until: untilMs === FOREVER_MS ? 'forever' : isoDate(untilMs),
          dateAdded: isoDate(nowMs),
        },
        201,
      )
    })

    api.delete(path, async (c) => {
      const { grant, row } = await find(c)
      if (!row) return c.notFound()
      await updateAlertRule(commands, grant, { ruleId: row.id, mutedUntilMs: null })
      return c.body(null, 204)
    })
  }
}
