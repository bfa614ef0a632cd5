/**
 * A metric alert rule as Sentry's API reads and writes it: one for us for each threshold, the warning's beside the critical one's.
 * https://docs.sentry.io/api/alerts/create-a-metric-alert-rule-for-an-organization/
 */
import { METRIC_WINDOWS, type MetricRule, type MetricRuleInput, RULES } from '@sonde/alerts'
import type { AlertRuleRow } from '@sonde/queries'
import type { JsonBody } from '../json-body.ts'
import { isoDate } from '../serializers/date.ts'
import { type Directory, ownerOf } from './directory.ts'
import { keepForm, keptForm, numberOf, refuse } from './form.ts'
import { createdByJson } from './issue-rule.ts'
import { metricQueryOf, readMetricQuery } from './metric-query.ts'
import {
  readTriggerActions,
  readTriggers,
  type TriggerForm,
  triggerFormOf,
  triggerJson,
} from './metric-triggers.ts'
import type { MetricRuleJson } from './rule-schemas.ts'

/** What cannot be told from the rules that it became. */
type MetricForm = {
  readonly dataset: string
  readonly aggregate: string
  readonly query: string
  readonly eventTypes: readonly string[]
  readonly thresholdType: number
  readonly resolveThreshold: number | null
  readonly comparisonDelta: number | null
  readonly detectionType: string
  readonly sensitivity: string | null
  readonly owner: string | null
  readonly triggers: readonly TriggerForm[]
}

export type ReadMetricRule = {
  readonly name: string
  readonly critical: MetricRuleInput
  /** Undefined: nobody is told of a warning. */
  readonly warning: MetricRuleInput | undefined
  readonly apiForm: string
}

/** Which of our fields is called otherwise there. */
export const METRIC_NAMES = {
  search: 'query',
  measure: 'aggregate',
  windowMinutes: 'timeWindow',
  trigger: 'triggers',
  actions: 'triggers',
  resolve: 'resolveThreshold',
} as const

const WEEK_MINUTES = 10_080
const [ABOVE, BELOW] = [0, 1]

/** Throws `InvalidInput`, field by field. */
export function readMetricBody(body: JsonBody, directory: Directory): ReadMetricRule {
  const name = body.text('name') ?? refuse('name', 'is needed')
  const form = readForm(body)
  const { resolveThreshold, thresholdType, comparisonDelta, triggers } = form
  const ownerId = ownerOf(directory, body.value('owner'))
  const compare =
    form.detectionType === 'dynamic' ? 'anomaly' : comparisonDelta === null ? 'static' : 'change'
  const direction = thresholdType === ABOVE ? 'above' : 'below'
  const sign = signOf({ compare, direction })
  const ruleOf = ({ alertThreshold, actions }: TriggerForm): MetricRuleInput => ({
    metric: readMetricQuery(form, form.eventTypes),
    windowMinutes: windowOf(body),
    compare,
    direction,
    trigger: compare === 'anomaly' ? 0 : sign * alertThreshold,
    resolve: compare === 'anomaly' || resolveThreshold === null ? null : sign * resolveThreshold,
    sensitivity: sensitivityOf(form.sensitivity),
    actions: [...readTriggerActions(actions, directory)],
    environment: body.text('environment') ?? '',
    ...(ownerId !== undefined && { ownerId }),
  })
  const [first, second] = triggers
  if (first === undefined) return refuse('triggers', 'one is needed')
  const critical = ruleOf(first)
  checkShare(critical, first)
  const parsed = RULES.metric.safeParse(critical)
  return {
    name,
    critical,
    warning: second === undefined || second.actions.length === 0 ? undefined : ruleOf(second),
    // What cannot be parsed the command refuses.
    apiForm: parsed.success ? keepForm(JSON.stringify(parsed.data), form) : '',
  }
}

/** Of a fall by half Sentry says 50, and we −50. */
const signOf = ({ compare, direction }: Pick<MetricRule, 'compare' | 'direction'>): 1 | -1 =>
  compare === 'change' && direction === 'below' ? -1 : 1

function readForm(body: JsonBody): MetricForm {
  const number = (name: string): number | undefined => numberOf({ [name]: body.value(name) }, name)
  const thresholdType = number('thresholdType') ?? ABOVE
  if (thresholdType !== ABOVE && thresholdType !== BELOW)
    refuse('thresholdType', 'is 0 (above) or 1 (below): a rule looks into one direction')
  const comparisonDelta = number('comparisonDelta') ?? null
  if (comparisonDelta !== null && comparisonDelta !== WEEK_MINUTES)
    refuse(
      'comparisonDelta',
      `is ${WEEK_MINUTES} or left out: what is compared with is the same time a week before`,
    )
  const detectionType = body.text('detectionType') ?? (comparisonDelta === null ? 'static' : 'percent')
  if (!['static', 'percent', 'dynamic'].includes(detectionType))
    refuse('detectionType', 'is static, percent or dynamic')
  const eventTypes: unknown = body.value('eventTypes') ?? []
  if (!Array.isArray(eventTypes) || !eventTypes.every((type) => typeof type === 'string'))
    refuse('eventTypes', 'is a list of error, default and transaction')
  return {
    dataset: body.text('dataset') ?? 'events',
    aggregate: body.text('aggregate') ?? refuse('aggregate', 'is needed'),
    query: body.text('query') ?? '',
    eventTypes,
    thresholdType,
    resolveThreshold: number('resolveThreshold') ?? null,
    comparisonDelta,
    detectionType,
    sensitivity: body.text('sensitivity') ?? null,
    owner: body.text('owner') ?? null,
    triggers: readTriggers(body.value('triggers')),
  }
}

function windowOf(body: JsonBody): MetricRuleInput['windowMinutes'] {
  const minutes = numberOf({ timeWindow: body.value('timeWindow') }, 'timeWindow')
  return (
    METRIC_WINDOWS.find((each) => each === minutes) ??
    refuse('timeWindow', `is one of ${METRIC_WINDOWS.join(', ')} minutes`)
  )
}

function sensitivityOf(text: string | null): 'low' | 'medium' | 'high' {
  if (text === null) return 'medium'
  const sensitivity = (['low', 'medium', 'high'] as const).find((each) => each === text)
  return sensitivity ?? refuse('sensitivity', 'is low, medium or high')
}

/** Somebody who means ten per cent and writes 10 would never be told. */
function checkShare({ metric, compare }: MetricRuleInput, { alertThreshold }: TriggerForm): void {
  const [rate] = /^(?:failure_rate|crash_free_rate)\(/.exec(metric.measure) ?? []
  if (compare === 'static' && rate !== undefined && alertThreshold > 1)
    refuse('triggers', `"alertThreshold" of ${rate}) is a share: 0.1 for ten per cent`)
}

type Shown = {
  readonly row: AlertRuleRow
  /** The rule of its warning; undefined: it has none. */
  readonly warning: AlertRuleRow | undefined
}

export function metricRuleJson(
  { row, warning }: Shown,
  orgId: number,
  directory: Directory,
  nowMs: number,
): MetricRuleJson {
  const rule: MetricRule = RULES.metric.parse(JSON.parse(row.value))
  const form = keptForm<MetricForm>(row.apiForm, row.value) ?? formOf(rule, warning, directory)
  const { triggers, ...fields } = form
  return {
    id: String(row.id),
    name: row.name,
    organizationId: String(orgId),
    ...fields,
    timeWindow: rule.windowMinutes,
    environment: rule.environment === '' ? null : rule.environment,
    triggers: triggers.map((trigger) => triggerJson(row.id, trigger, form.thresholdType, row.createdMs)),
    projects: [row.projectSlug],
    // 0 pending, 4 disabled: so it is in Sentry's API.
    status: row.isEnabled ? 0 : 4,
    snooze: row.mutedUntilMs !== undefined && row.mutedUntilMs > nowMs,
    dateCreated: isoDate(row.createdMs),
    dateModified: isoDate(row.updatedMs),
    createdBy: createdByJson(row),
    originalAlertRuleId: null,
  }
}

function formOf(rule: MetricRule, warning: AlertRuleRow | undefined, directory: Directory): MetricForm {
  const sign = signOf(rule)
  const second = warning && RULES.metric.safeParse(JSON.parse(warning.value)).data
  return {
    ...metricQueryOf(rule.metric),
    eventTypes: [],
    thresholdType: rule.direction === 'above' ? ABOVE : BELOW,
    resolveThreshold: rule.resolve === null ? null : sign * rule.resolve,
    comparisonDelta: rule.compare === 'change' ? WEEK_MINUTES : null,
    detectionType: { static: 'static', change: 'percent', anomaly: 'dynamic' }[rule.compare],
    sensitivity: rule.compare === 'anomaly' ? rule.sensitivity : null,
    owner: rule.ownerId === undefined ? null : `user:${rule.ownerId}`,
    triggers: [
      triggerFormOf('critical', rule, sign, directory),
      ...(second ? [triggerFormOf('warning', second, sign, directory)] : []),
    ],
  }
}

/** Kept beside the rule of a warning: whose warning it is. */
export const warningForm = (criticalId: number): string => JSON.stringify({ warningOf: criticalId })

/** Undefined: it stands for itself. */
export function warningOf({ apiForm }: Pick<AlertRuleRow, 'apiForm'>): number | undefined {
  if (apiForm === '') return undefined
  const { warningOf: id } = JSON.parse(apiForm) as { readonly warningOf?: number }
  return id
}
