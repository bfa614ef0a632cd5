/** A rule as it is stored, and as people and programs send it: when it fires, for what, and whom it tells. */
import { type Metric, METRIC_SOURCES } from '@sonde/queries/contract'
import { assigneeOf, readAssignee, type IssueTable, type Selectable } from '@sonde/stores'
import { z } from 'zod'
import {
  ANOMALY_SENSITIVITIES,
  type AnomalySensitivity,
  CHANGE_TRIGGERS,
  type ChangeTriggerType,
  COUNT_TRIGGERS,
  DEFAULT_COOL_DOWN_MINUTES,
  DEFAULT_JUDGED_AFTER_MINUTES,
  JUDGED,
  METRIC_COMPARISONS,
  METRIC_DIRECTIONS,
  METRIC_WINDOWS,
  RELEASE_BEGINNINGS,
  RULE_LIMITS,
  WITHOUT_OWNERS,
} from '../contract.ts'
import { isTimeZone } from '../time-zone.ts'

const minutes = (max: number) =>
  z.int('is a whole number of minutes').min(1, 'is at least a minute').max(max, `is at most ${max} minutes`)

const trigger = z.discriminatedUnion('type', [
  z.object({ type: z.enum(CHANGE_TRIGGERS) }),
  /** More than `count` of one issue within `minutes`; `escalating`: and many more than usual, see `busyIssues`. */
  z.object({
    type: z.enum(COUNT_TRIGGERS),
    count: z.int('is a whole number').min(0, 'is at least 0').max(1_000_000_000),
    minutes: minutes(RULE_LIMITS.windowMinutes),
  }),
])

export type IssueTrigger = z.output<typeof trigger>

const action = z.discriminatedUnion('type', [
  z.object({ type: z.literal('channel'), channelId: z.int().positive() }),
  /** Everybody in the organization: in the inbox, and by mail where mail is set up and the person wants it. */
  z.object({ type: z.literal('members') }),
  z.object({ type: z.literal('person'), userId: z.string().min(1).max(64) }),
  /** Whoever is in the team when it fires. */
  z.object({ type: z.literal('team'), teamId: z.int().positive() }),
  /** Whoever owns the rule when it fires. */
  z.object({ type: z.literal('owner') }),
  /**
   * Of rules about issues alone: who has the issue, its suspect committers, and the owners by the rule that decides. Without
   * `otherwise` it is as the project's ownership says.
   */
  z.object({ type: z.literal('issue_owners'), otherwise: z.enum(WITHOUT_OWNERS).optional() }),
  /** Of rules about issues alone: an issue is made at the tracker, unless one is linked. */
  z.object({ type: z.literal('tracker'), trackerId: z.int().positive() }),
])
export type Action = z.output<typeof action>

const MINUTES_OF_DAY = 24 * 60

/** When a rule looks: what happens at another time it does not tell; what still lasts when it begins again, it does. */
const schedule = z.object({
  timeZone: z.string().refine(isTimeZone, 'is not a time zone, such as Europe/Berlin'),
  /** 0 is Sunday. */
  days: z.array(z.int().min(0).max(6)).min(1, 'at least one day is needed').max(7),
  /** Minutes since midnight; an end before the beginning is of the next day. */
  fromMinute: z.int().min(0).max(MINUTES_OF_DAY),
  toMinute: z.int().min(0).max(MINUTES_OF_DAY),
})
export type Schedule = z.output<typeof schedule>

/** Whom a rule or a monitor tells. */
export const ACTIONS = z
  .array(action)
  .min(1, 'at least one is needed')
  .max(RULE_LIMITS.actions, `at most ${RULE_LIMITS.actions}`)

export const ENVIRONMENT = z
  .string()
  .trim()
  .max(RULE_LIMITS.environmentChars, `has at most ${RULE_LIMITS.environmentChars} characters`)
  .default('')

/** What both kinds of rules have. */
const TELLING = {
  actions: ACTIONS,
  schedule: schedule.optional(),
  /** Only what happened there counts. Empty: everywhere. */
  environment: ENVIRONMENT,
  /** The member who looks after it. */
  ownerId: z.string().min(1).max(64).optional(),
}

const searchField = z
  .string()
  .max(RULE_LIMITS.searchChars, `has at most ${RULE_LIMITS.searchChars} characters`)
  .default('')

/** `search`: as typed above a list of events; only events that match count. Empty: all. */
export const ISSUE_RULE = z.object({
  triggers: z
    .array(trigger)
    .min(1, 'at least one is needed')
    .max(RULE_LIMITS.triggers, `at most ${RULE_LIMITS.triggers}`),
  search: searchField,
  /** Only issues that one of these has when it fires; `isNot`: that none of them has. Empty text: nobody. */
  assigned: z
    .object({
      isNot: z.boolean().default(false),
      to: z
        .array(
          z
            .string()
            .refine((text) => readAssignee(text) !== undefined, 'is user:ID, team:ID or empty: nobody'),
        )
        .min(1, 'choose at least one')
        .max(RULE_LIMITS.assignees, `at most ${RULE_LIMITS.assignees}`),
    })
    .optional(),
  ...TELLING,
  coolDownMinutes: z.int().min(0).max(RULE_LIMITS.coolDownMinutes).default(DEFAULT_COOL_DOWN_MINUTES),
})
export type IssueRule = z.output<typeof ISSUE_RULE>
export type IssueRuleInput = z.input<typeof ISSUE_RULE>

const number = z.number('is a number').min(-1e15).max(1e15)

/** A metric over a window that moves minute by minute. */
export const METRIC_RULE = z.object({
  metric: z.object({
    source: z.enum(METRIC_SOURCES, { error: `is one of ${METRIC_SOURCES.join(', ')}` }),
    // A metric's name of 200 characters, with its measure, type and unit.
    measure: z.string().min(1, 'is needed').max(300),
    search: searchField,
  }),
  windowMinutes: z.union(
    METRIC_WINDOWS.map((window) => z.literal(window)),
    { error: `is one of ${METRIC_WINDOWS.join(', ')} minutes` },
  ),
  compare: z.enum(METRIC_COMPARISONS).default('static'),
  direction: z.enum(METRIC_DIRECTIONS).default('above'),
  /** Of `static` in the metric's unit, of `change` in per cent; `anomaly` has none. */
  trigger: number,
  /** From here on it is over; null: as soon as `trigger` is not passed any more. */
  resolve: number.nullable().default(null),
  sensitivity: z.enum(Object.keys(ANOMALY_SENSITIVITIES) as [AnomalySensitivity]).default('medium'),
  /** With fewer rows nothing fires and nothing ends. */
  minSample: z.int().min(0).max(1_000_000_000).default(0),
  ...TELLING,
})
export type MetricRule = z.output<typeof METRIC_RULE>
export type MetricRuleInput = z.input<typeof METRIC_RULE>

/** A release against the one before it, so many minutes after it began. */
export const RELEASE_RULE = z.object({
  begins: z.enum(RELEASE_BEGINNINGS).default('first_event'),
  afterMinutes: minutes(RULE_LIMITS.windowMinutes).default(DEFAULT_JUDGED_AFTER_MINUTES),
  /** Told before that as soon as it is worse: it is looked at four times instead of once. */
  isEarly: z.boolean().default(false),
  /** Which verdicts are told; others are noted alone. */
  tells: z.array(z.enum(JUDGED)).min(1, 'choose at least one').max(JUDGED.length),
  ...TELLING,
})
export type ReleaseRule = z.output<typeof RELEASE_RULE>
export type ReleaseRuleInput = z.input<typeof RELEASE_RULE>

export const readReleaseRule = (value: string): ReleaseRule => RELEASE_RULE.parse(JSON.parse(value))

export const readMetricRule = (value: string): MetricRule => METRIC_RULE.parse(JSON.parse(value))

/** What was stored before a field was there has its default. Throws for what was never a rule. */
export const readIssueRule = (value: string): IssueRule => ISSUE_RULE.parse(JSON.parse(value))

/** The form of each kind of rule. */
export const RULES = { issue: ISSUE_RULE, metric: METRIC_RULE, release: RELEASE_RULE } as const

export type AnyRule =
  | { readonly kind: 'issue'; readonly rule: IssueRule }
  | { readonly kind: 'metric'; readonly rule: MetricRule }
  | { readonly kind: 'release'; readonly rule: ReleaseRule }

/** Whether it is asked as time goes by, and so has a watermark. */
export const isWindowed = ({ kind, rule }: AnyRule): boolean =>
  kind !== 'issue' || rule.triggers.some((each) => 'count' in each)

/**
 * Every project begins with it, so that the first error is told without any set-up. All members hear only of issues that
 * nobody owns.
 */
export const DEFAULT_RULE: { readonly name: string; readonly rule: IssueRule } = {
  name: 'New and returning issues',
  rule: {
    triggers: [{ type: 'new' }, { type: 'regressed' }],
    search: '',
    environment: '',
    actions: [{ type: 'issue_owners', otherwise: 'members' }],
    coolDownMinutes: DEFAULT_COOL_DOWN_MINUTES,
  },
}

/** Which changes of issues make it fire. What is new in the rule's environment is new to whoever looks at that alone. */
export function changesOf({
  triggers,
  environment,
}: Pick<IssueRule, 'triggers' | 'environment'>): readonly ChangeTriggerType[] {
  const named = triggers.flatMap((each) => ('count' in each ? [] : [each.type]))
  const isNewThere = environment !== '' && named.includes('new')
  return [...new Set([...named, ...(isNewThere ? ['first_seen_in_environment' as const] : [])])]
}

/** Whether the rule is about what is assigned so. */
export const isOfAssignee = (
  { assigned }: Pick<IssueRule, 'assigned'>,
  issue: Pick<Selectable<IssueTable>, 'assignee_user_id' | 'assignee_team_id'>,
): boolean => assigned === undefined || assigned.to.includes(assigneeOf(issue)) !== assigned.isNot

/** The search with the rule's environment in it. */
export const searchOf = ({ search, environment }: Pick<IssueRule, 'search' | 'environment'>): string =>
  environment === '' ? search : `environment:${quoted(environment)} ${search}`.trimEnd()

export const metricOf = ({ metric, environment }: Pick<MetricRule, 'metric' | 'environment'>): Metric => ({
  ...metric,
  search: searchOf({ search: metric.search, environment }),
})

/** As a search takes it for the text that it is. */
const quoted = (value: string): string => `"${value.replace(/[\\"*]/g, '\\$&')}"`
