/** The thresholds of a metric alert rule with whom each tells, in Sentry's words and in ours. Pure. */
import type { Action, MetricRule } from '@sonde/alerts'
import { CHANNEL_KINDS } from '@sonde/stores'
import { isoDate } from '../serializers/date.ts'
import { channelAction, type Directory, memberOf, teamOf } from './directory.ts'
import { isRecord, numberOf, refuse, textOf } from './form.ts'
import { MetricAction, type MetricActionJson, type ReleaseActionJson } from './item-schemas.ts'
import type { MetricRuleJson } from './rule-schemas.ts'

const LABELS = ['critical', 'warning'] as const
export type TriggerLabel = (typeof LABELS)[number]

/** As it was sent. */
export type TriggerForm = {
  readonly label: TriggerLabel
  readonly alertThreshold: number
  readonly resolveThreshold: number | null
  readonly thresholdType: number | null
  readonly actions: readonly MetricActionJson[]
}

const MAX_ACTIONS = 20

/** The critical one first. Throws `InvalidInput`. */
export function readTriggers(value: unknown): readonly TriggerForm[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord))
    return refuse(
      'triggers',
      'is a list with a trigger of the label critical, and one of warning if you want',
    )
  const triggers = value.map((trigger): TriggerForm => {
    const label = LABELS.find((each) => each === trigger['label'])
    const alertThreshold = numberOf(trigger, 'alertThreshold')
    const actions: unknown = trigger['actions'] ?? []
    if (label === undefined) return refuse('triggers', '"label" is critical or warning')
    if (alertThreshold === undefined) return refuse('triggers', `${label}: "alertThreshold" is a number`)
    if (!Array.isArray(actions) || !actions.every(isRecord) || actions.length > MAX_ACTIONS)
      return refuse('triggers', `${label}: "actions" is a list of at most ${MAX_ACTIONS} objects`)
    return {
      label,
      alertThreshold,
      resolveThreshold: numberOf(trigger, 'resolveThreshold') ?? null,
      thresholdType: numberOf(trigger, 'thresholdType') ?? null,
      actions: actions.map((action) => actionOf(action, label)),
    }
  })
  const ordered = LABELS.flatMap((label) => triggers.filter((trigger) => trigger.label === label))
  if (ordered[0]?.label !== 'critical') refuse('triggers', 'one of the label critical is needed')
  if (ordered.length > new Set(ordered.map(({ label }) => label)).size)
    refuse('triggers', 'there is one of each label')
  if (ordered[0]?.actions.length === 0) refuse('triggers', 'critical: an action is needed, or nobody is told')
  return ordered
}

/** As it was sent, with fields that nobody names. */
function actionOf(action: Readonly<Record<string, unknown>>, label: TriggerLabel): MetricActionJson {
  const [issue] = MetricAction.safeParse(action).error?.issues ?? []
  if (issue) refuse('triggers', `${label}: "${issue.path.join('.')}" of an action is of another type`)
  return action as MetricActionJson
}

/** Type of an action → the kinds of our channels. */
const KINDS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...CHANNEL_KINDS.map((kind): [string, readonly string[]] => [kind, [kind]]),
  ['slack', ['slack', 'slack_app']],
  ['msteams', ['teams']],
  ['sentry_app', ['sentry_webhook', 'webhook']],
])

/** `field`: whose they are, for what is wrong with them. */
export function readTriggerActions(
  actions: readonly Readonly<Record<string, unknown>>[],
  directory: Directory,
  field: string = 'triggers',
): readonly Action[] {
  const told = actions.map((action): Action => {
    const type = textOf(action, 'type') ?? ''
    const target = textOf(action, 'targetIdentifier')
    if (type === 'email') {
      const to = textOf(action, 'targetType') ?? 'user'
      if (to === 'user') return { type: 'person', userId: memberOf(directory, field, target) }
      if (to === 'all_members') return { type: 'members' }
      if (to === 'rule_owner') return { type: 'owner' }
      if (to === 'team') return { type: 'team', teamId: teamOf(directory, field, target) }
      return refuse(field, '"targetType" of an e-mail is user, team, all_members or rule_owner')
    }
    const kinds = KINDS.get(type)
    if (!kinds)
      return refuse(
        field,
        `actions of the type "${type}" are not supported. Supported are email, ${[...KINDS.keys()].join(', ')}`,
      )
    const names = ['integrationId', 'sentryAppId'].map((name) => textOf(action, name))
    return channelAction(
      directory,
      field,
      { kinds, says: `an action of the type ${type}: "integrationId", "targetIdentifier"` },
      [...names, target],
    )
  })
  return [...new Map(told.map((action) => [JSON.stringify(action), action])).values()]
}

const SAID_AS: ReadonlyMap<string, string> = new Map([
  ['teams', 'msteams'],
  ['slack_app', 'slack'],
])

/** Undefined: there is no word for it, or its channel is gone. */
export function fieldsOf(action: Action, { channels }: Directory): ReleaseActionJson | undefined {
  if (action.type === 'members') return { type: 'email', targetType: 'all_members', targetIdentifier: null }
  if (action.type === 'owner') return { type: 'email', targetType: 'rule_owner', targetIdentifier: null }
  if (action.type === 'person') return { type: 'email', targetType: 'user', targetIdentifier: action.userId }
  if (action.type === 'team')
    return { type: 'email', targetType: 'team', targetIdentifier: String(action.teamId) }
  // Of rules about issues alone.
  if (action.type === 'tracker' || action.type === 'issue_owners') return undefined
  const channel = channels.find(({ id }) => id === action.channelId)
  if (!channel) return undefined
  const type = SAID_AS.get(channel.kind) ?? channel.kind
  return { type, targetType: 'specific', targetIdentifier: channel.name, integrationId: channel.id }
}

/** `sign`: of a fall our threshold is negative. */
export const triggerFormOf = (
  label: TriggerLabel,
  { trigger, resolve, actions }: Pick<MetricRule, 'actions' | 'trigger' | 'resolve'>,
  sign: 1 | -1,
  directory: Directory,
): TriggerForm => ({
  label,
  alertThreshold: sign * trigger,
  resolveThreshold: resolve === null ? null : sign * resolve,
  thresholdType: null,
  actions: actions.map((action) => fieldsOf(action, directory)).filter((fields) => fields !== undefined),
})

/** Its id and those of its actions follow from the rule's, so that they stay. */
export function triggerJson(
  ruleId: number,
  trigger: TriggerForm,
  thresholdType: number,
  createdMs: number,
): MetricRuleJson['triggers'][number] {
  const id = ruleId * 10 + LABELS.indexOf(trigger.label) + 1
  const dateCreated = isoDate(createdMs)
  return {
    id: String(id),
    alertRuleId: String(ruleId),
    label: trigger.label,
    thresholdType: trigger.thresholdType ?? thresholdType,
    alertThreshold: trigger.alertThreshold,
    resolveThreshold: trigger.resolveThreshold,
    dateCreated,
    actions: trigger.actions.map((action, at) => ({
      targetIdentifier: null,
      inputChannelId: null,
      integrationId: null,
      sentryAppId: null,
      priority: null,
      ...action,
      id: String(id * 100 + at + 1),
      alertRuleTriggerId: String(id),
      dateCreated,
      desc: [action.type, action.targetIdentifier].filter((part) => typeof part === 'string').join(': '),
    })),
  }
}
