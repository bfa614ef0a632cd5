/**
 * How rules are described. What is wrong with a value is told by the readers of the forms, in Sentry's words: the schemas of
 * bodies say what is taken, those of answers what there is.
 */
import { JUDGED, RELEASE_BEGINNINGS } from '@sonde/alerts/contract'
import { z } from 'zod'
import type { DeepReadonly } from '../operation.ts'
import { Time } from '../serializers/date.ts'
import { taken } from '../taken.ts'
import {
  MetricTrigger,
  ReleaseAction,
  RuleAction,
  RuleCondition,
  RuleFilter,
  Schedule,
} from './item-schemas.ts'

/** What the document names. */
const component = (id: string) => ({ $ref: `#/components/schemas/${id}` })
/** A list of those. */
const list = (id: string, description: string) =>
  z
    .unknown()
    .optional()
    .meta({ description, override: { type: 'array', items: component(id) } })

const CreatedBy = z.object({ id: z.null(), name: z.string(), email: z.null() }).nullable()
const Snooze = z.boolean().meta({ description: 'It is muted.' })

export const IssueRuleBody = z.object({
  name: z.string().optional(),
  conditions: list('RuleCondition', 'When it looks, as in Sentry; none: at every event.'),
  filters: list('RuleFilter', 'Which issues.'),
  actions: list('RuleAction', 'Whom it tells.'),
  actionMatch: taken(z.enum(['any', 'all']), 'How many conditions have to hold.'),
  filterMatch: taken(z.enum(['any', 'all', 'none']), 'How many filters have to hold.'),
  frequency: taken('integer', 'Minutes between two messages of one issue.'),
  environment: z.string().optional(),
  owner: z.string().optional().meta({ description: '`user:ID`.' }),
  status: z.string().optional().meta({ description: '`active` or `disabled`.' }),
})

export const IssueRule = z
  .object({
    id: z.string(),
    name: z.string(),
    conditions: z.array(RuleCondition).meta({ description: 'Any of them.' }),
    filters: z.array(RuleFilter),
    actions: z.array(RuleAction),
    actionMatch: z.string(),
    filterMatch: z.string(),
    frequency: z.number(),
    environment: z.string().nullable(),
    owner: z.string().nullable(),
    projects: z.array(z.string()),
    status: z.enum(['active', 'disabled']),
    snooze: Snooze,
    dateCreated: Time,
    createdBy: CreatedBy,
    lastTriggered: Time.nullable(),
  })
  .meta({ id: 'IssueRule' })
export type IssueRuleJson = DeepReadonly<z.infer<typeof IssueRule>>

export const ReleaseRuleBody = z.object({
  name: z.string().optional(),
  begins: taken(z.enum(RELEASE_BEGINNINGS), 'What a release begins with.'),
  afterMinutes: taken('integer', 'So many minutes after that it is judged.'),
  early: taken('boolean', 'Also before that, once it is clear.'),
  verdicts: taken(z.array(z.enum(JUDGED)), 'Which verdicts are told, `["worse"]` unless given.'),
  environment: taken('string', 'Only in this one.'),
  schedule: z
    .unknown()
    .optional()
    .meta({ override: component('RuleSchedule') }),
  owner: taken('string', '`user:ID`.'),
  actions: list('ReleaseRuleAction', 'Whom it tells.'),
  status: z.string().optional().meta({ description: '`active` or `disabled`.' }),
})

export const ReleaseRule = z
  .object({
    id: z.string(),
    name: z.string(),
    begins: z.enum(RELEASE_BEGINNINGS),
    afterMinutes: z.int().meta({ description: 'So long after it began it is judged.' }),
    early: z.boolean().meta({ description: 'Also before, once it is clear.' }),
    verdicts: z.array(z.enum(JUDGED)).meta({ description: 'Those that are told.' }),
    environment: z.string().nullable(),
    schedule: Schedule.nullable(),
    owner: z.string().nullable(),
    actions: z.array(ReleaseAction),
    projects: z.array(z.string()),
    status: z.enum(['active', 'disabled']),
    snooze: Snooze,
    dateCreated: Time,
    createdBy: CreatedBy,
    lastTriggered: Time.nullable(),
  })
  .meta({ id: 'ReleaseRule' })
export type ReleaseRuleJson = DeepReadonly<z.infer<typeof ReleaseRule>>

const SentTrigger = z.object({
  label: z.enum(['critical', 'warning']),
  alertThreshold: z.number().meta({ description: 'From here on it fires; of rates a share.' }),
  resolveThreshold: z.number().nullish(),
  thresholdType: z.int().nullish().meta({ description: '0: above, 1: below.' }),
  actions: z
    .array(
      z
        .looseObject({
          type: z.string().meta({ description: '`email`, or the kind of a channel.' }),
          targetType: z
            .string()
            .nullish()
            .meta({ description: 'Of mail: `user`, `team`, `all_members` or `rule_owner`.' }),
          targetIdentifier: z.union([z.string(), z.number()]).nullish(),
          integrationId: z
            .union([z.string(), z.number()])
            .nullish()
            .meta({ description: 'Id of the channel.' }),
        })
        .meta({ description: 'Other fields are kept as they are sent.' }),
    )
    .optional()
    .meta({ description: 'Of critical at least one.' }),
})

export const MetricRuleBody = z.object({
  name: z.string().optional(),
  projects: taken(z.array(z.string()), 'Of an organization: the slug of the one project.'),
  dataset: z.string().optional(),
  aggregate: z.string().optional().meta({ description: 'What is measured, for example `count()`.' }),
  query: z.string().optional(),
  eventTypes: taken(
    z.array(z.enum(['error', 'default', 'transaction'])),
    'Which events are counted, as in Sentry.',
  ),
  timeWindow: taken('integer', 'Minutes.'),
  environment: z.string().optional(),
  owner: z.string().optional().meta({ description: '`user:ID`.' }),
  thresholdType: taken('integer', '0: above, 1: below.'),
  resolveThreshold: taken('number', 'Where it is over.'),
  comparisonDelta: taken('integer', 'Minutes: compares with then.'),
  detectionType: z.string().optional().meta({ description: '`static`, `percent` or `dynamic`.' }),
  sensitivity: z.string().optional(),
  triggers: taken(z.array(SentTrigger), 'One of the label critical, and one of warning if you want.'),
  status: taken('string', 'Not looked at.'),
})

export const MetricRule = z
  .object({
    id: z.string(),
    name: z.string(),
    organizationId: z.string(),
    dataset: z.string(),
    aggregate: z.string(),
    query: z.string(),
    queryType: z.number().optional(),
    eventTypes: z.array(z.string()),
    timeWindow: z.int().meta({ description: 'Minutes.' }),
    environment: z.string().nullable(),
    thresholdType: z.number().meta({ description: '0: above, 1: below.' }),
    resolveThreshold: z.number().nullable(),
    comparisonDelta: z.number().nullable().meta({ description: 'Minutes: compares with then.' }),
    detectionType: z.string().meta({ description: '`static`, `percent` or `dynamic`.' }),
    sensitivity: z.string().nullable().meta({ description: 'Of dynamic: `low`, `medium` or `high`.' }),
    owner: z.string().nullable(),
    triggers: z.array(MetricTrigger).meta({ description: 'The critical one first.' }),
    projects: z.array(z.string()),
    status: z.union([z.literal(0), z.literal(4)]).meta({ description: '4: disabled.' }),
    snooze: Snooze,
    dateCreated: Time,
    dateModified: Time,
    createdBy: CreatedBy,
    originalAlertRuleId: z.null(),
  })
  .meta({ id: 'MetricRule' })
export type MetricRuleJson = DeepReadonly<z.infer<typeof MetricRule>>
