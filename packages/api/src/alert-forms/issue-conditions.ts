/** What an issue rule fires on, in Sentry's words and in ours. Pure. */
import type { IssueTrigger } from '@sonde/alerts'
import { type FormItem, numberOf, refuse, textOf } from './form.ts'
import { intervalMinutes, intervalText } from './intervals.ts'
import type { ConditionJson } from './item-schemas.ts'

const SENTRY = 'sentry.rules.conditions.'
const FIRST_SEEN = `${SENTRY}first_seen_event.FirstSeenEventCondition`
const REGRESSION = `${SENTRY}regression_event.RegressionEventCondition`
const REAPPEARED = `${SENTRY}reappeared_event.ReappearedEventCondition`
const EVERY = `${SENTRY}every_event.EveryEventCondition`
const EVENTS = `${SENTRY}event_frequency.EventFrequencyCondition`
const USERS = `${SENTRY}event_frequency.EventUniqueUserFrequencyCondition`
const NEW_HIGH = `${SENTRY}high_priority_issue.NewHighPriorityIssueCondition`
const EXISTING_HIGH = `${SENTRY}high_priority_issue.ExistingHighPriorityIssueCondition`
/** What Sentry has no word for. */
const ESCALATING = 'sonde.conditions.escalating'
const OURS = 'sonde.conditions.'

const CHANGES: ReadonlyMap<string, Exclude<IssueTrigger, { count: number }>['type']> = new Map([
  [FIRST_SEEN, 'new'],
  [REGRESSION, 'regressed'],
  [REAPPEARED, 'reopened'],
  [`${OURS}first_seen_in_release`, 'first_seen_in_release'],
  [`${OURS}first_seen_in_environment`, 'first_seen_in_environment'],
])

/** Of high priority are issues of these levels. */
const HIGH_PRIORITY = 'level:[fatal, error]'
/** From when on an issue that is known may be escalating. */
const ESCALATING_FROM = { count: 10, minutes: 60 }
const WEEK_MINUTES = 10_080

export type ReadConditions = {
  readonly triggers: readonly IssueTrigger[]
  /** What they say of events too; empty: nothing. */
  readonly search: string
}

/** `frequency`: over how many minutes "every event" is one incident. Throws `InvalidInput`. */
export function readConditions(
  conditions: readonly FormItem[],
  actionMatch: string,
  frequency: number,
): ReadConditions {
  if (actionMatch === 'none' || (actionMatch === 'all' && conditions.length > 1))
    refuse('actionMatch', `"${actionMatch}" of several conditions is not supported: any of them fires`)
  const high = conditions.filter(({ id }) => id === NEW_HIGH || id === EXISTING_HIGH)
  if (high.length > 0 && high.length < conditions.length)
    refuse(
      'conditions',
      `${high[0]?.id} cannot stand beside other conditions: it is about issues of the levels fatal and error alone. Make a rule of its own`,
    )
  // Without one, every event that passes the filters counts.
  const named = conditions.length === 0 ? [{ id: EVERY }] : conditions
  return {
    triggers: named.map((condition) => triggerOf(condition, frequency)),
    search: high.length > 0 ? HIGH_PRIORITY : '',
  }
}

function triggerOf(condition: FormItem, frequency: number): IssueTrigger {
  const { id } = condition
  const change = CHANGES.get(id)
  if (change !== undefined) return { type: change }
  switch (id) {
    case EVERY:
      return { type: 'events', count: 0, minutes: Math.min(Math.max(1, frequency), WEEK_MINUTES) }
    case EVENTS:
      return { type: 'events', ...countOf(condition) }
    case USERS:
      return { type: 'users', ...countOf(condition) }
    case ESCALATING:
      return { type: 'escalating', ...countOf(condition) }
    case NEW_HIGH:
      return { type: 'new' }
    case EXISTING_HIGH:
      return { type: 'escalating', ...ESCALATING_FROM }
    default:
      return refuse('conditions', `${id} is not supported. Supported are ${SUPPORTED.join(', ')}`)
  }
}

function countOf(condition: FormItem): { readonly count: number; readonly minutes: number } {
  const { id } = condition
  const type = textOf(condition, 'comparisonType') ?? 'count'
  if (type !== 'count')
    refuse('conditions', `${id}: "comparisonType" ${type} is not supported: a number is compared with`)
  const count = numberOf(condition, 'value')
  if (count === undefined || !Number.isInteger(count) || count < 0)
    return refuse('conditions', `${id}: "value" is a whole number`)
  return { count, minutes: intervalMinutes(condition) }
}

const SUPPORTED = [...CHANGES.keys(), EVERY, EVENTS, USERS, NEW_HIGH, EXISTING_HIGH, ESCALATING]

const CHANGE_IDS = new Map([...CHANGES].map(([id, type]) => [type, id]))

export function conditionsOf(triggers: readonly IssueTrigger[]): readonly ConditionJson[] {
  return triggers.map((trigger) => {
    if (!('count' in trigger)) return { id: CHANGE_IDS.get(trigger.type) ?? `${OURS}${trigger.type}` }
    const { type, count, minutes } = trigger
    if (type === 'events' && count === 0) return { id: EVERY }
    const id = type === 'events' ? EVENTS : type === 'users' ? USERS : ESCALATING
    return { id, value: count, comparisonType: 'count', interval: intervalText(minutes) }
  })
}
