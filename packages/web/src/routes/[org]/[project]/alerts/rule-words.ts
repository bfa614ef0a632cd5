/** A rule in words: what it fires on and whom it tells. Pure. */
import type { AnyRule, IssueRule, MetricRule, ReleaseRule } from '@sonde/alerts'
import {
  type ChangeTriggerType,
  type IssueTriggerType,
  measureText,
  metricKind,
  valueText,
} from '@sonde/alerts/contract'
import { readMeasured, unitOfMeasure } from '@sonde/queries/contract'

type Telling = Pick<IssueRule, 'actions' | 'schedule' | 'ownerId'>
type Names = {
  readonly channels: readonly { readonly id: number; readonly name: string }[]
  readonly trackers: readonly { readonly id: number; readonly name: string }[]
  readonly members: readonly { readonly userId: string; readonly name: string }[]
  readonly teams: readonly { readonly id: number; readonly name: string }[]
}

export const TRIGGER_WORDS: Readonly<Record<IssueTriggerType, string>> = {
  new: 'New issue',
  regressed: 'Regression',
  reopened: 'Reopened',
  first_seen_in_release: 'First seen in release',
  first_seen_in_environment: 'First seen in environment',
  events: 'Many events',
  users: 'Many users',
  escalating: 'Escalating',
}

const CHANGES: Readonly<Record<ChangeTriggerType, string>> = {
  new: 'is new',
  regressed: 'regresses',
  reopened: 'is reopened',
  first_seen_in_release: 'is first seen in a release',
  first_seen_in_environment: 'is first seen in an environment',
}

export function ruleWords({ kind, rule }: AnyRule): string {
  const words =
    kind === 'issue' ? issueWords(rule) : kind === 'metric' ? metricWords(rule) : releaseWords(rule)
  return rule.environment === '' ? words : `${words}, in ${rule.environment}`
}

function issueWords({ triggers, assigned }: IssueRule): string {
  const parts = triggers.map((trigger) => {
    if (!('count' in trigger)) return CHANGES[trigger.type]
    const { type, count, minutes } = trigger
    if (type === 'users') return `affects more than ${count} users in ${minutesText(minutes)}`
    const has = `has more than ${count} events in ${minutesText(minutes)}`
    return type === 'events' ? has : `${has}, many times its usual rate`
  })
  return `An issue ${listText(parts, 'or')}${assigned ? `, ${assignedWords(assigned)}` : ''}`
}

const VERDICT_WORDS: Readonly<Record<ReleaseRule['tells'][number], string>> = {
  worse: 'worse',
  not_enough_data: 'without enough data',
  same: 'as good',
  better: 'better',
}

function releaseWords({ begins, afterMinutes, isEarly, tells }: ReleaseRule): string {
  const when = `${minutesText(afterMinutes)} after its first ${begins === 'deploy' ? 'deploy' : 'event'}`
  const found = listText(
    tells.map((verdict) => VERDICT_WORDS[verdict]),
    'or',
  )
  return `A release is ${found}, ${when}${isEarly ? ' or as soon as it is worse' : ''}`
}

function assignedWords({ isNot, to }: NonNullable<IssueRule['assigned']>): string {
  if (to.length === 1 && to[0] === '') return isNot ? 'assigned to somebody' : 'assigned to nobody'
  return isNot ? 'not of certain assignees' : 'of certain assignees'
}

function metricWords(rule: MetricRule): string {
  const { metric, windowMinutes, compare, direction, trigger } = rule
  const what = `${measureText(metric)} in ${minutesText(windowMinutes)}`
  if (compare === 'anomaly') return `${what} is unusually ${direction === 'above' ? 'high' : 'low'}`
  if (compare === 'static') return `${what} is ${direction} ${valueText(metric, trigger)}`
  // "above 50 %" of a change is a rise, "below −50 %" a fall.
  return `${what} is ${direction} ${trigger > 0 ? '+' : ''}${trigger} % of the week before`
}

/** Whom it tells; who is gone meanwhile is left out. */
export function tellsWords(
  { actions, ownerId }: Telling,
  { channels, trackers, members, teams }: Names,
): string {
  const named = actions.flatMap((action) => {
    if (action.type === 'members') return ['all members']
    if (action.type === 'issue_owners')
      return [
        action.otherwise === 'members' ? 'owners of the issue, else all members' : 'owners of the issue',
      ]
    if (action.type === 'owner') return members.some(({ userId }) => userId === ownerId) ? ['its owner'] : []
    if (action.type === 'channel') return channels.find(({ id }) => id === action.channelId)?.name ?? []
    if (action.type === 'team') {
      const team = teams.find(({ id }) => id === action.teamId)
      return team ? [`the team ${team.name}`] : []
    }
    if (action.type === 'tracker') {
      const tracker = trackers.find(({ id }) => id === action.trackerId)
      return tracker ? [`${tracker.name}, by an issue`] : []
    }
    return members.find(({ userId }) => userId === action.userId)?.name ?? []
  })
  return named.length === 0 ? 'nobody: whom it told is gone' : listText(named, 'and')
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
export const DAY_NAMES = DAYS

/** Empty: at any time. */
export function scheduleWords(schedule: Telling['schedule']): string {
  if (!schedule) return ''
  const { days, fromMinute, toMinute, timeZone } = schedule
  const shown = DAYS.filter((_, day) => days.includes(day))
  const all = shown.length === DAYS.length ? 'every day' : shown.join(', ')
  return `${all} ${clockText(fromMinute)}–${clockText(toMinute)} ${timeZone}`
}

export const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

export const minutesText = (minutes: number): string =>
  minutes % 1_440 === 0
    ? countText(minutes / 1_440, 'day')
    : minutes % 60 === 0
      ? countText(minutes / 60, 'hour')
      : countText(minutes, 'minute')

const countText = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`)

const listText = (parts: readonly string[], last: string): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`

/** In which unit people type a threshold, and how many of the stored one it is. */
export function unitOf(metric: Pick<MetricRule['metric'], 'source' | 'measure'>, compare: string) {
  if (compare === 'change') return { text: '% change', factor: 1 }
  const kind = metricKind(metric)
  if (kind === 'percentage') return { text: '%', factor: 100 }
  const measured = metric.source === 'metrics' ? readMeasured(metric.measure) : undefined
  if (measured) return { text: unitOfMeasure(measured.ref, measured.measure), factor: 1 }
  return { text: kind === 'duration' ? 'ms' : '', factor: 1 }
}
