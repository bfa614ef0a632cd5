/** What the buttons of a rule do: the field `does` says which one it is. */
import type { Grant } from '@sonde/access'
import { createAlertRule, deleteAlertRule, InvalidInput, updateAlertRule } from '@sonde/commands'
import { alertRule } from '@sonde/queries'
import { type ActionArgs, httpError, notFound, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields } from '../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../parts/forms/saved-notice.tsx'
import { readZonedTime } from '../../../../parts/forms/zoned-time.server.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { storedRule } from './stored-rule.server.ts'

const MINUTE_MS = 60_000
const MAX_NAME_CHARS = 100

/** 303 to the list. What is not there is the not-found page. */
export async function changeRule(args: ActionArgs<AppContext, 'org' | 'project'>): Promise<never> {
  const grant = await projectGrant(args, 'alert:write')
  const posted = fieldsOf(await args.formData())
  const ruleId = posted.number('ruleId')
  if (!Number.isSafeInteger(ruleId) || ruleId < 1) return httpError(400)
  const saved = await orEndPage(change(args.context, grant, ruleId, posted))
  return redirect(`${paths.alerts(grant.orgSlug, grant.projectSlug)}?saved=${saved}`, 303)
}

async function change(
  { commands, queries, clock, viewer }: AppContext,
  grant: Grant<'alert:write', 'project'>,
  ruleId: number,
  posted: PostedFields,
): Promise<SavedForm> {
  const does = posted.text('does')
  if (does === 'enable' || does === 'disable') {
    await updateAlertRule(commands, grant, { ruleId, isEnabled: does === 'enable' })
    return does === 'enable' ? 'alert-on' : 'alert-off'
  }
  if (does === 'mute') {
    const mutedUntilMs = muteEnd(posted, clock.nowMs(), viewer)
    if (mutedUntilMs === undefined) return 'alert-mute-past'
    await updateAlertRule(commands, grant, { ruleId, mutedUntilMs })
    return 'alert-muted'
  }
  if (does === 'unmute') {
    await updateAlertRule(commands, grant, { ruleId, mutedUntilMs: null })
    return 'alert-unmuted'
  }
  if (does === 'duplicate') {
    const row = (await alertRule(queries, grant, ruleId)) ?? notFound()
    const stored = storedRule(row) ?? notFound()
    const name = `${row.name.slice(0, MAX_NAME_CHARS - 7)} (copy)`
    try {
      const { id } = await createAlertRule(commands, grant, { name, ...stored })
      // Twice the same would tell everything twice: it begins when somebody has changed it.
      await updateAlertRule(commands, grant, { ruleId: id, isEnabled: false })
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      // The name is right, so it is the number of rules; other fields: what the rule tells is gone, for example.
      return error.fields['name'] ? 'alerts-full' : 'alert-not-copied'
    }
    return 'alert-copied'
  }
  if (does === 'delete') {
    await deleteAlertRule(commands, grant, { ruleId })
    return 'alert-deleted'
  }
  return httpError(400)
}

/** `minutes` from now, or until a time by the clock of a zone. Undefined: that is over, or no time at all. */
function muteEnd(posted: PostedFields, nowMs: number, viewer: AppContext['viewer']): number | undefined {
  const minutes = posted.number('minutes')
  if (minutes > 0) return nowMs + Math.min(minutes, 525_600) * MINUTE_MS
  const untilMs = readZonedTime({ at: posted.text('until'), zone: posted.text('untilZone') }, viewer)
  return untilMs !== undefined && untilMs > nowMs ? untilMs : undefined
}
