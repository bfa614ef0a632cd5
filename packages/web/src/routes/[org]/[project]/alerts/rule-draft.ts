/** A rule as the form has it: texts and ticks. Pure. */
import type { Action, AnyRule, IssueTrigger, Schedule } from '@sonde/alerts'
import {
  COUNT_TRIGGERS,
  DEFAULT_COOL_DOWN_MINUTES,
  DEFAULT_JUDGED_AFTER_MINUTES,
  ISSUE_TRIGGERS,
  RULE_LIMITS,
  WITHOUT_OWNERS,
} from '@sonde/alerts/contract'
import { isWritten } from '@sonde/queries/contract'
import { ALERT_START } from '../../../../parts/alerts/alert-start.ts'
import type { PostedFields } from '../../../../parts/forms/posted-fields.ts'
import { clockText, unitOf } from './rule-words.ts'

/** As events have them, the worst first. */
export const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const

const RULE_KINDS = ['issue', 'metric', 'release'] as const
export type RuleKind = (typeof RULE_KINDS)[number]
const ruleKind = (text: string | null): RuleKind => RULE_KINDS.find((kind) => kind === text) ?? 'issue'

export type RuleDraft = {
  readonly kind: RuleKind
  readonly name: string
  /** Without the levels, which have boxes of their own. */
  readonly query: string
  /** Of issue rules. None: all. */
  readonly levels: readonly string[]
  /** Empty: everywhere. */
  readonly environment: string
  /** Empty: whoever has the issue; else one of `assignedTo`, or `not` one of them. */
  readonly assigned: string
  /** `nobody`, `user:ID`, `team:ID`. */
  readonly assignedTo: readonly string[]
  readonly changes: readonly string[]
  /** A row without a number does not count. */
  readonly counted: readonly { readonly type: string; readonly count: string; readonly minutes: string }[]
  readonly coolDownMinutes: string
  /** `errors|count()`; of spans `spans|` and of metrics `metrics|`, and the measure has a field of its own. */
  readonly metric: string
  readonly spanMeasure: string
  readonly windowMinutes: string
  readonly compare: string
  readonly direction: string
  readonly trigger: string
  /** Empty: as soon as the trigger is not passed any more. */
  readonly resolve: string
  readonly minSample: string
  readonly sensitivity: string
  /** Of a rule about releases. */
  readonly begins: string
  readonly afterMinutes: string
  readonly isEarly: boolean
  readonly tells: readonly string[]
  /** Empty: nobody. */
  readonly ownerId: string
  readonly members: boolean
  readonly owner: boolean
  /** Of a rule about issues. Empty: their owners are not told; `project`: where there are none, as the project says. */
  readonly issueOwners: string
  readonly channelIds: readonly string[]
  /** Of a rule about issues. */
  readonly trackerIds: readonly string[]
  readonly userIds: readonly string[]
  readonly teamIds: readonly string[]
  readonly isScheduled: boolean
  readonly days: readonly string[]
  /** `09:00`. */
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

/** A tick needs a value. */
export const NOBODY = 'nobody'

const noCounts = COUNT_TRIGGERS.map((type) => ({ type, count: '', minutes: '60' }))

export const emptyDraft = (kind: RuleDraft['kind']): RuleDraft => ({
  kind,
  name: '',
  query: '',
  levels: [],
  environment: '',
  assigned: '',
  assignedTo: [],
  changes: ['new', 'regressed'],
  counted: noCounts,
  coolDownMinutes: String(DEFAULT_COOL_DOWN_MINUTES),
  metric: 'errors|count()',
  spanMeasure: 'p95(span.duration)',
  windowMinutes: '5',
  compare: 'static',
  direction: 'above',
  trigger: '100',
  resolve: '',
  minSample: '0',
  sensitivity: 'medium',
  begins: 'first_event',
  afterMinutes: String(DEFAULT_JUDGED_AFTER_MINUTES),
  isEarly: false,
  tells: ['worse'],
  ownerId: '',
  members: true,
  owner: false,
  issueOwners: '',
  channelIds: [],
  trackerIds: [],
  userIds: [],
  teamIds: [],
  isScheduled: false,
  days: ['1', '2', '3', '4', '5'],
  from: '09:00',
  to: '17:00',
  timeZone: 'UTC',
})

/** As another screen begins it, by its address: what stands there and is too long is left out. */
export function startedDraft(params: URLSearchParams): RuleDraft {
  const given = STARTED.flatMap((name) => {
    const text = params.get(name) ?? ''
    return text === '' || text.length > RULE_LIMITS.searchChars ? [] : [[name, text] as const]
  })
  const draft = {
    ...emptyDraft(ruleKind(params.get('kind'))),
    ...Object.fromEntries(given),
  }
  return { ...draft, name: draft.name.slice(0, RULE_LIMITS.nameChars) }
}

const STARTED = [...ALERT_START, 'environment'] as const satisfies readonly TextName[]

export function draftOf(name: string, any: AnyRule): RuleDraft {
  const { actions, schedule, environment, ownerId = '' } = any.rule
  const told = {
    name,
    environment,
    ownerId,
    owner: actions.some(({ type }) => type === 'owner'),
    members: actions.some(({ type }) => type === 'members'),
    issueOwners: actions.reduce(
      (chosen, each) => (each.type === 'issue_owners' ? (each.otherwise ?? 'project') : chosen),
      '',
    ),
    channelIds: actions.flatMap((each) => (each.type === 'channel' ? [String(each.channelId)] : [])),
    trackerIds: actions.flatMap((each) => (each.type === 'tracker' ? [String(each.trackerId)] : [])),
    userIds: actions.flatMap((each) => (each.type === 'person' ? [each.userId] : [])),
    teamIds: actions.flatMap((each) => (each.type === 'team' ? [String(each.teamId)] : [])),
    isScheduled: schedule !== undefined,
    ...(schedule && {
      days: schedule.days.map(String),
      from: clockText(schedule.fromMinute),
      to: clockText(schedule.toMinute % 1_440),
      timeZone: schedule.timeZone,
    }),
  }
  const empty = { ...emptyDraft(any.kind), ...told }
  if (any.kind === 'issue') {
    const { triggers, search, coolDownMinutes, assigned } = any.rule
    const counted = triggers.flatMap((each) =>
      'count' in each ? [{ type: each.type, count: String(each.count), minutes: String(each.minutes) }] : [],
    )
    const left = noCounts.filter(({ type }) => !counted.some((each) => each.type === type))
    return {
      ...empty,
      ...levelsOf(search),
      ...(assigned && {
        assigned: assigned.isNot ? 'not' : 'one',
        assignedTo: assigned.to.map((each) => each || NOBODY),
      }),
      changes: triggers.flatMap((each) => ('count' in each ? [] : [each.type])),
      counted: [...counted, ...left].toSorted((a, b) => orderOf(a.type) - orderOf(b.type)),
      coolDownMinutes: String(coolDownMinutes),
    }
  }
  if (any.kind === 'release') {
    const { begins, afterMinutes, isEarly, tells } = any.rule
    return { ...empty, begins, afterMinutes: String(afterMinutes), isEarly, tells }
  }
  const { metric, windowMinutes, compare, direction, trigger, resolve, minSample, sensitivity } = any.rule
  const { factor } = unitOf(metric, compare)
  const isTyped = isWritten(metric.source)
  return {
    ...empty,
    query: metric.search,
    metric: isTyped ? `${metric.source}|` : `${metric.source}|${metric.measure}`,
    ...(isTyped && { spanMeasure: metric.measure }),
    windowMinutes: String(windowMinutes),
    compare,
    direction,
    trigger: numberText(trigger * factor),
    resolve: resolve === null ? '' : numberText(resolve * factor),
    minSample: String(minSample),
    sensitivity,
  }
}

/** As the form wrote them: at the beginning, and only levels that it knows. */
function levelsOf(search: string): Pick<RuleDraft, 'levels' | 'query'> {
  const [whole = '', list = ''] = /^level:\[([a-z, ]+)\](?:\s+|$)/.exec(search) ?? []
  const levels = list.split(/,\s*/).filter((level) => level !== '')
  return levels.every((level) => LEVELS.some((each) => each === level))
    ? { levels, query: search.slice(whole.length) }
    : { levels: [], query: search }
}

const withLevels = ({ levels, query }: Pick<RuleDraft, 'levels' | 'query'>): string =>
  levels.length === 0 ? query : `level:[${levels.join(', ')}] ${query}`.trimEnd()

const orderOf = (type: string): number => ISSUE_TRIGGERS.findIndex((each) => each === type)
/** Without the dust of binary fractions. */
const numberText = (value: number): string => String(Number(value.toPrecision(12)))

/** `kind`: of a rule that is there, its own. */
export function postedDraft(posted: PostedFields, kind?: RuleDraft['kind']): RuleDraft {
  const [types, counts, minutes] = [
    posted.all('countedType'),
    posted.all('countedCount'),
    posted.all('countedMinutes'),
  ]
  const texts = Object.fromEntries(TEXTS.map((name) => [name, posted.text(name)])) as Pick<
    RuleDraft,
    TextName
  >
  return {
    ...texts,
    kind: kind ?? ruleKind(posted.text('kind')),
    changes: posted.all('change'),
    levels: posted.all('level'),
    assignedTo: posted.all('assignedTo'),
    counted: types.map((type, at) => ({
      type,
      count: counts[at]?.trim() ?? '',
      minutes: minutes[at]?.trim() ?? '',
    })),
    isEarly: posted.has('isEarly'),
    tells: posted.all('tells'),
    members: posted.has('members'),
    owner: posted.has('owner'),
    channelIds: posted.all('channelId'),
    trackerIds: posted.all('trackerId'),
    userIds: posted.all('userId'),
    teamIds: posted.all('teamId'),
    isScheduled: posted.has('isScheduled'),
    days: posted.all('day'),
  }
}

const TEXTS = [
  'name',
  'query',
  'environment',
  'assigned',
  'ownerId',
  'issueOwners',
  'coolDownMinutes',
  'metric',
  'spanMeasure',
  'windowMinutes',
  'compare',
  'direction',
  'trigger',
  'resolve',
  'minSample',
  'sensitivity',
  'begins',
  'afterMinutes',
  'from',
  'to',
  'timeZone',
] as const
type TextName = (typeof TEXTS)[number]

/** As the form of rules takes it: what is no number is NaN, which is refused beside its field. */
export function ruleOf(draft: RuleDraft): { readonly kind: RuleDraft['kind']; readonly rule: object } {
  const schedule = draft.isScheduled ? scheduleOf(draft) : undefined
  const { environment, ownerId } = draft
  const telling = {
    actions: actionsOf(draft),
    environment,
    ...(schedule && { schedule }),
    ...(ownerId !== '' && { ownerId }),
  }
  if (draft.kind === 'issue') {
    const triggers = [
      ...draft.changes.map((type) => ({ type })),
      ...draft.counted.flatMap(({ type, count, minutes }) =>
        count === '' ? [] : [{ type, count: numberOf(count), minutes: numberOf(minutes) }],
      ),
    ] as IssueTrigger[]
    const coolDownMinutes = numberOf(draft.coolDownMinutes)
    const assigned = draft.assigned === '' ? undefined : assignedOf(draft)
    return {
      kind: 'issue',
      rule: {
        triggers,
        search: withLevels(draft),
        ...(assigned && { assigned }),
        coolDownMinutes,
        ...telling,
      },
    }
  }
  if (draft.kind === 'release') {
    const { begins, afterMinutes, isEarly, tells } = draft
    const rule = { begins, afterMinutes: numberOf(afterMinutes), isEarly, tells, ...telling }
    return { kind: 'release', rule }
  }
  const metric = metricOf(draft)
  const { factor } = unitOf(metric, draft.compare)
  const { compare, direction, sensitivity, resolve } = draft
  return {
    kind: 'metric',
    rule: {
      metric: { ...metric, search: draft.query },
      windowMinutes: numberOf(draft.windowMinutes),
      compare,
      direction,
      sensitivity,
      // What is compared with the usual has no number of its own.
      trigger: compare === 'anomaly' ? 0 : numberOf(draft.trigger) / factor,
      resolve: compare === 'anomaly' || resolve === '' ? null : numberOf(resolve) / factor,
      minSample: draft.minSample === '' ? 0 : numberOf(draft.minSample),
      ...telling,
    },
  }
}

const assignedOf = ({ assigned, assignedTo }: RuleDraft) => ({
  isNot: assigned === 'not',
  to: assignedTo.map((each) => (each === NOBODY ? '' : each)),
})

/** Which metric the form names. */
export function metricOf({ metric, spanMeasure }: Pick<RuleDraft, 'metric' | 'spanMeasure'>) {
  const at = metric.indexOf('|')
  const source = metric.slice(0, at) as 'errors'
  return { source, measure: isWritten(source) ? spanMeasure : metric.slice(at + 1) }
}

const actionsOf = ({
  kind,
  members,
  owner,
  issueOwners,
  channelIds,
  trackerIds,
  userIds,
  teamIds,
}: RuleDraft): Action[] => [
  ...(kind === 'issue' && issueOwners !== '' ? [issueOwnersAction(issueOwners)] : []),
  ...(owner ? [{ type: 'owner' as const }] : []),
  ...(members ? [{ type: 'members' as const }] : []),
  ...channelIds.map((id) => ({ type: 'channel' as const, channelId: Number(id) })),
  ...teamIds.map((id) => ({ type: 'team' as const, teamId: Number(id) })),
  ...userIds.map((userId) => ({ type: 'person' as const, userId })),
  ...(kind === 'issue' ? trackerIds.map((id) => ({ type: 'tracker' as const, trackerId: Number(id) })) : []),
]

function issueOwnersAction(chosen: string): Action {
  const otherwise = WITHOUT_OWNERS.find((each) => each === chosen)
  return { type: 'issue_owners', ...(otherwise && { otherwise }) }
}

const scheduleOf = ({ days, from, to, timeZone }: RuleDraft): Schedule => ({
  timeZone,
  days: days.map(Number),
  fromMinute: minuteOf(from),
  toMinute: minuteOf(to),
})

function minuteOf(text: string): number {
  const [hours = NaN, minutes = NaN] = text.split(':').map(Number)
  return hours * 60 + minutes
}

/** People group large numbers, and some write a comma before a fraction. */
const numberOf = (text: string): number =>
  text === ''
    ? NaN
    : Number(
        text
          .replaceAll(/[\s_']/g, '')
          .replace(/,(?=\d{3}\b)/g, '')
          .replace(',', '.'),
      )
