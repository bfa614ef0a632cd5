/**
 * A rule that judges releases, as the API reads and writes it. Sentry has none: names are ours, whom it tells is said as in
 * metric alert rules. Nothing is lost on the way, so what was sent is kept nowhere beside the rule.
 */
import { type ReleaseRuleInput, RULES } from '@sonde/alerts'
import type { AlertRuleRow } from '@sonde/queries'
import type { JsonBody } from '../json-body.ts'
import { isoDate, isoDateOrNull } from '../serializers/date.ts'
import { type Directory, ownerOf } from './directory.ts'
import { isRecord, refuse } from './form.ts'
import { createdByJson } from './issue-rule.ts'
import { fieldsOf, readTriggerActions } from './metric-triggers.ts'
import type { ReleaseRuleJson } from './rule-schemas.ts'

/** Which of our fields is called otherwise there. */
export const RELEASE_NAMES = { tells: 'verdicts', isEarly: 'early', ownerId: 'owner' } as const

const MAX_ACTIONS = 20

export type ReadReleaseRule = {
  readonly name: string
  readonly rule: ReleaseRuleInput
  readonly isEnabled: boolean | undefined
}

/** What it does not check the command does. Throws `InvalidInput`. */
export function readReleaseBody(body: JsonBody, directory: Directory): ReadReleaseRule {
  const actions = body.value('actions')
  if (!Array.isArray(actions) || actions.length > MAX_ACTIONS || !actions.every(isRecord))
    return refuse('actions', `is a list of at most ${MAX_ACTIONS} objects, each with a "type"`)
  const ownerId = ownerOf(directory, body.value('owner'))
  const status = body.text('status')
  const given = {
    begins: body.value('begins'),
    afterMinutes: body.value('afterMinutes'),
    isEarly: body.value('early'),
    tells: body.value('verdicts') ?? ['worse'],
    environment: body.value('environment') ?? undefined,
    schedule: body.value('schedule') ?? undefined,
    ownerId,
    actions: readTriggerActions(actions, directory, 'actions'),
  }
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  return {
    name: body.text('name') ?? refuse('name', 'is needed'),
    // Of any type until the command has read it.
    rule: Object.fromEntries(said) as ReleaseRuleInput,
    isEnabled: status === undefined ? undefined : status !== 'disabled',
  }
}

export function releaseRuleJson(row: AlertRuleRow, directory: Directory, nowMs: number): ReleaseRuleJson {
  const rule = RULES.release.parse(JSON.parse(row.value))
  return {
    id: String(row.id),
    name: row.name,
    begins: rule.begins,
    afterMinutes: rule.afterMinutes,
    early: rule.isEarly,
    verdicts: rule.tells,
    environment: rule.environment === '' ? null : rule.environment,
    schedule: rule.schedule ?? null,
    owner: rule.ownerId === undefined ? null : `user:${rule.ownerId}`,
    actions: rule.actions.flatMap((action) => fieldsOf(action, directory) ?? []),
    projects: [row.projectSlug],
    status: row.isEnabled ? 'active' : 'disabled',
    snooze: row.mutedUntilMs !== undefined && row.mutedUntilMs > nowMs,
    dateCreated: isoDate(row.createdMs),
    createdBy: createdByJson(row),
    lastTriggered: isoDateOrNull(row.lastFiredMs),
  }
}
