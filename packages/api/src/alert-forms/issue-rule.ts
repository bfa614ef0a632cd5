/** An issue alert rule as Sentry's API reads and writes it. https://docs.sentry.io/api/alerts/create-an-issue-alert-rule-for-a-project/ */
import { type IssueRule, type IssueRuleInput, RULE_LIMITS, RULES } from '@sonde/alerts'
import type { AlertRuleRow } from '@sonde/queries'
import type { JsonBody } from '../json-body.ts'
import { isoDate, isoDateOrNull } from '../serializers/date.ts'
import { assignedFilters, readAssigned } from './assigned-filters.ts'
import { type Directory, ownerOf } from './directory.ts'
import { itemsOf, keepForm, keptForm, numberOf, refuse } from './form.ts'
import { actionItemsOf, readActions } from './issue-actions.ts'
import { conditionsOf, readConditions } from './issue-conditions.ts'
import { filtersOf, readFilters } from './issue-filters.ts'
import {
  type ActionJson,
  type ConditionJson,
  type FilterJson,
  RuleAction,
  RuleCondition,
  RuleFilter,
} from './item-schemas.ts'
import type { IssueRuleJson } from './rule-schemas.ts'

/** What cannot be told from the rule that it became. */
type IssueForm = {
  readonly conditions: readonly ConditionJson[]
  readonly filters: readonly FilterJson[]
  readonly actions: readonly ActionJson[]
  readonly actionMatch: string
  readonly filterMatch: string
  readonly frequency: number
  readonly owner: string | null
}

export type ReadIssueRule = {
  readonly name: string
  readonly rule: IssueRuleInput
  readonly isEnabled: boolean | undefined
  readonly apiForm: string
}

const MATCHES: readonly string[] = ['any', 'all', 'none']
const DEFAULT_FREQUENCY = 30
const MIN_FREQUENCY = 5

/** Which of our fields is called otherwise there. */
export const ISSUE_NAMES = {
  triggers: 'conditions',
  search: 'filters',
  assigned: 'filters',
  coolDownMinutes: 'frequency',
} as const

/** Throws `InvalidInput`, field by field. */
export function readIssueBody(body: JsonBody, directory: Directory): ReadIssueRule {
  const name = body.text('name') ?? refuse('name', 'is needed')
  const form: IssueForm = {
    conditions: itemsOf(body.value('conditions'), 'conditions', RuleCondition),
    filters: itemsOf(body.value('filters'), 'filters', RuleFilter),
    actions: itemsOf(body.value('actions'), 'actions', RuleAction),
    actionMatch: matchOf(body, 'actionMatch', 'any'),
    filterMatch: matchOf(body, 'filterMatch', 'all'),
    frequency: frequencyOf(body),
    owner: body.text('owner') ?? null,
  }
  const { triggers, search: ofConditions } = readConditions(form.conditions, form.actionMatch, form.frequency)
  const { assigned, others } = readAssigned(form.filters, form.filterMatch, directory)
  const ownerId = ownerOf(directory, body.value('owner'))
  const rule: IssueRuleInput = {
    triggers: [...triggers],
    search: [ofConditions, readFilters(others, form.filterMatch)].filter(Boolean).join(' '),
    ...(assigned && { assigned }),
    actions: [...readActions(form.actions, directory)],
    coolDownMinutes: form.frequency,
    environment: body.text('environment') ?? '',
    ...(ownerId !== undefined && { ownerId }),
  }
  const parsed = RULES.issue.safeParse(rule)
  return {
    name,
    rule,
    isEnabled: enabledOf(body),
    // What cannot be parsed the command refuses.
    apiForm: parsed.success ? keepForm(JSON.stringify(parsed.data), form) : '',
  }
}

function matchOf(body: JsonBody, field: string, usual: string): string {
  const match = body.text(field) ?? usual
  return MATCHES.includes(match) ? match : refuse(field, `is one of ${MATCHES.join(', ')}`)
}

function frequencyOf(body: JsonBody): number {
  const frequency = numberOf({ frequency: body.value('frequency') ?? DEFAULT_FREQUENCY }, 'frequency')
  const max = RULE_LIMITS.coolDownMinutes
  if (frequency === undefined || !Number.isInteger(frequency) || frequency < MIN_FREQUENCY || frequency > max)
    return refuse('frequency', `is a whole number of minutes between ${MIN_FREQUENCY} and ${max}`)
  return frequency
}

function enabledOf(body: JsonBody): boolean | undefined {
  const status = body.text('status')
  return status === undefined ? undefined : status !== 'disabled'
}

export function issueRuleJson(row: AlertRuleRow, directory: Directory, nowMs: number): IssueRuleJson {
  const rule: IssueRule = RULES.issue.parse(JSON.parse(row.value))
  const form = keptForm<IssueForm>(row.apiForm, row.value) ?? formOf(rule, directory)
  const { frequency, owner, ...items } = form
  return {
    id: String(row.id),
    name: row.name,
    ...items,
    frequency,
    environment: rule.environment === '' ? null : rule.environment,
    owner,
    projects: [row.projectSlug],
    status: row.isEnabled ? 'active' : 'disabled',
    snooze: row.mutedUntilMs !== undefined && row.mutedUntilMs > nowMs,
    dateCreated: isoDate(row.createdMs),
    createdBy: createdByJson(row),
    lastTriggered: isoDateOrNull(row.lastFiredMs),
  }
}

/** Ids of people are texts here, which clients that know numbers alone cannot read: the name is enough. */
export const createdByJson = ({ createdBy }: Pick<AlertRuleRow, 'createdBy'>) =>
  createdBy === '' ? null : { id: null, name: createdBy, email: null }

const formOf = (rule: IssueRule, directory: Directory): IssueForm => ({
  conditions: conditionsOf(rule.triggers),
  filters: [...assignedFilters(rule.assigned), ...filtersOf(rule.search)],
  actions: actionItemsOf(rule.actions, directory),
  actionMatch: 'any',
  filterMatch: 'all',
  frequency: rule.coolDownMinutes,
  owner: rule.ownerId === undefined ? null : `user:${rule.ownerId}`,
})
