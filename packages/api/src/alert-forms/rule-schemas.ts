/**
 * How rules are described. What is wrong with a value is told by the readers of the forms, in Sentry's words: the schemas of
 * bodies say what is taken, those of answers what there is.
 */
import { z } from 'zod'
import type { DeepReadonly } from '../operation.ts'
import { Time } from '../serializers/date.ts'

type Json = { readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' }

/** Anything, of which `type` is what should come: older clients quote numbers. */
export const taken = (type: Json['type'], description: string) =>
  z
    .unknown()
    .optional()
    .meta({
      description,
      override: type === 'array' ? { type, items: {} } : { type },
    })

const Item = z
  .looseObject({ id: z.string() })
  .meta({ id: 'RuleItem', description: 'What it is, and fields of its own.' })
const items = (description: string) => taken('array', description)

const CreatedBy = z.object({ id: z.null(), name: z.string(), email: z.null() }).nullable()
const Snooze = z.boolean().meta({ description: 'It is muted.' })

export const IssueRuleBody = z.object({
  name: z.string().optional(),
  conditions: items('When it looks: `{id, …}`, as in Sentry.'),
  filters: items('Which issues: `{id, …}`.'),
  actions: items('Whom it tells: `{id, …}`.'),
  actionMatch: taken('string', '`any` or `all`.'),
  filterMatch: taken('string', '`any`, `all` or `none`.'),
  frequency: taken('integer', 'Minutes between two messages of one issue.'),
  environment: z.string().optional(),
  owner: z.string().optional().meta({ description: '`user:ID`.' }),
  status: z.string().optional().meta({ description: '`active` or `disabled`.' }),
})

export const IssueRule = z
  .object({
    id: z.string(),
    name: z.string(),
    conditions: z.array(Item),
    filters: z.array(Item),
    actions: z.array(Item),
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
  begins: taken('string', 'What a release begins with: `deploy` or `seen`.'),
  afterMinutes: taken('integer', 'When it is judged.'),
  early: taken('boolean', 'Also before that, once it is clear.'),
  verdicts: taken('array', 'Which verdicts are told, `["worse"]` unless given.'),
  environment: taken('string', 'Only in this one.'),
  schedule: taken('object', 'When it may tell.'),
  owner: taken('string', '`user:ID`.'),
  actions: items('Whom it tells: `{id, …}`.'),
  status: z.string().optional().meta({ description: '`active` or `disabled`.' }),
})

export const ReleaseRule = z
  .object({
    id: z.string(),
    name: z.string(),
    begins: z.string(),
    afterMinutes: z.number(),
    early: z.boolean(),
    verdicts: z.array(z.string()),
    environment: z.string().nullable(),
    schedule: z.unknown(),
    owner: z.string().nullable(),
    actions: z.array(z.unknown()),
    projects: z.array(z.string()),
    status: z.enum(['active', 'disabled']),
    snooze: Snooze,
    dateCreated: Time,
    createdBy: CreatedBy,
    lastTriggered: Time.nullable(),
  })
  .meta({ id: 'ReleaseRule' })
export type ReleaseRuleJson = DeepReadonly<z.infer<typeof ReleaseRule>>

export const MetricRuleBody = z.object({
  name: z.string().optional(),
  projects: items('Of an organization: the slug of the one project.'),
  dataset: z.string().optional(),
  aggregate: z.string().optional().meta({ description: 'What is measured, for example `count()`.' }),
  query: z.string().optional(),
  eventTypes: items('As in Sentry.'),
  timeWindow: taken('integer', 'Minutes.'),
  environment: z.string().optional(),
  owner: z.string().optional().meta({ description: '`user:ID`.' }),
  thresholdType: taken('integer', '0: above, 1: below.'),
  resolveThreshold: taken('number', 'Where it is over.'),
  comparisonDelta: taken('integer', 'Minutes: compares with then.'),
  detectionType: z.string().optional().meta({ description: '`static`, `percent` or `dynamic`.' }),
  sensitivity: z.string().optional(),
  triggers: items('`{label: "critical" or "warning", alertThreshold, actions}`.'),
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
    eventTypes: z.array(z.unknown()),
    timeWindow: z.number(),
    environment: z.string().nullable(),
    thresholdType: z.number(),
    resolveThreshold: z.number().nullable(),
    comparisonDelta: z.number().nullable(),
    detectionType: z.string(),
    sensitivity: z.string().nullable(),
    owner: z.string().nullable(),
    triggers: z.array(z.looseObject({})),
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
