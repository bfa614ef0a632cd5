/** Makes, changes and deletes alert rules of a project. */
import { actorOf, type Grant, requireAlso } from '@sonde/access'
import {
  type AnyRule,
  DEFAULT_RULE,
  type IssueRuleInput,
  isWindowed,
  type MetricRuleInput,
  type ReleaseRuleInput,
  problemsOfRule,
  RULE_LIMITS,
  RULES,
} from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import {
  type AuditAction,
  ALERT_RULE_KINDS,
  type AlertRuleKind,
  type Records,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, nameField, readInput } from '../fields.ts'

type AlertGrant = Grant<'alert:write', 'project'>

/** The API's own beside the rule; its body was bounded. */
const apiFormField = z.string().max(200_000).optional()
const CREATE = z.object({
  name: nameField,
  kind: z.enum(ALERT_RULE_KINDS),
  rule: z.unknown(),
  apiForm: apiFormField,
})

export type CreateAlertRuleInput = { readonly name: string; readonly apiForm?: string | undefined } & (
  | { readonly kind: 'issue'; readonly rule: IssueRuleInput }
  | { readonly kind: 'metric'; readonly rule: MetricRuleInput }
  | { readonly kind: 'release'; readonly rule: ReleaseRuleInput }
)

/** Throws `InvalidInput`. */
export async function createAlertRule(
  deps: CommandDeps,
  grant: AlertGrant,
  input: CreateAlertRuleInput,
): Promise<{ readonly id: number }> {
  const operation = 'create an alert rule'
  const { name, kind, rule: given, apiForm = '' } = readInput(operation, CREATE, input)
  const made = readRule(operation, kind, given)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    await checkRule(tx, deps, operation, grant, made)
    const { count } = await tx
      .selectFrom('alert_rule')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('project_id', '=', grant.projectId)
      .executeTakeFirstOrThrow()
    if (count >= RULE_LIMITS.rules)
      throw new InvalidInput(operation, {
        name: [`a project has at most ${RULE_LIMITS.rules} rules: delete one`],
      })
    const createdBy = actorOf(grant.viewer)
    const { id } = await tx
      .insertInto('alert_rule')
      .values({
        ...columnsOf(grant.projectId, name, made, atMs),
        api_form: apiForm,
        origin: '',
        created_by: createdBy,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setWatermark(tx, id, made, atMs)
    await audit(tx, grant, 'alert_rule.create', { ruleId: id, kind, name }, atMs)
    return { id }
  })
}

/** What every project begins with. Within the transaction that makes the project. */
export async function insertDefaultRule(tx: Records, projectId: number, atMs: number): Promise<void> {
  const { name, rule } = DEFAULT_RULE
  await tx
    .insertInto('alert_rule')
    .values({
      ...columnsOf(projectId, name, { kind: 'issue', rule }, atMs),
      origin: 'default',
      created_by: '',
    })
    .execute()
}

const columnsOf = (projectId: number, name: string, { kind, rule }: AnyRule, atMs: number) => ({
  project_id: projectId,
  kind,
  name,
  value: JSON.stringify(rule),
  created_ms: atMs,
  updated_ms: atMs,
})

const ID = { ruleId: z.int().positive() }
const UPDATE = z.object({
  ...ID,
  name: nameField.optional(),
  rule: z.unknown().optional(),
  apiForm: apiFormField,
  isEnabled: z.boolean().optional(),
  mutedUntilMs: z.int().positive().nullable().optional(),
})

/** What is left out stays. `mutedUntilMs`: null ends it. */
export type UpdateAlertRuleInput = {
  readonly ruleId: number
  readonly name?: string | undefined
  /** Of the kind that the rule is. */
  readonly rule?: IssueRuleInput | MetricRuleInput | ReleaseRuleInput | undefined
  readonly apiForm?: string | undefined
  readonly isEnabled?: boolean | undefined
  readonly mutedUntilMs?: number | null | undefined
}

/** Holds from the next change of an issue on. Throws `InvalidInput`, `SondeError` (`not-found`). */
export async function updateAlertRule(
  deps: CommandDeps,
  grant: AlertGrant,
  input: UpdateAlertRuleInput,
): Promise<void> {
  const operation = 'change an alert rule'
  const read = readInput(operation, UPDATE, input)
  const { ruleId, name, rule: given, apiForm, isEnabled, mutedUntilMs } = read
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const before = await ruleOf(tx, grant, operation, ruleId)
    const changed = given === undefined ? undefined : readRule(operation, before.kind, given)
    if (changed) await checkRule(tx, deps, operation, grant, changed)
    await tx
      .updateTable('alert_rule')
      .set({
        updated_ms: atMs,
        ...(name !== undefined && { name }),
        ...(changed && { value: JSON.stringify(changed.rule) }),
        ...(apiForm !== undefined && { api_form: apiForm }),
        ...(isEnabled !== undefined && { is_enabled: isEnabled ? 1 : 0 }),
        ...(mutedUntilMs !== undefined && { muted_until_ms: mutedUntilMs }),
      })
      .where('id', '=', ruleId)
      .execute()
    // What was while it was off is nothing to tell of when it is on again.
    // A release that began already is judged by the rule as it is then, unless the rule was off.
    const isGoingOn = before.kind === 'release' && isEnabled !== true
    if (!isGoingOn && (changed || isEnabled === true)) {
      const now = changed ?? readRule(operation, before.kind, JSON.parse(before.value))
      await setWatermark(tx, ruleId, now, atMs)
    }
    const detail = {
      ruleId,
      name: name ?? before.name,
      isEnabled,
      mutedUntilMs,
      isRuleChanged: changed !== undefined,
    }
    await audit(tx, grant, 'alert_rule.update', detail, atMs)
  })
}

const DELETE = z.object(ID)

/** Its incidents stay, without it. Throws `SondeError` (`not-found`). */
export async function deleteAlertRule(
  deps: CommandDeps,
  grant: AlertGrant,
  input: { readonly ruleId: number },
): Promise<{ readonly name: string }> {
  const operation = 'delete an alert rule'
  const { ruleId } = readInput(operation, DELETE, input)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const { name } = await ruleOf(tx, grant, operation, ruleId)
    // Nobody would resolve them any more.
    await tx
      .updateTable('incident')
      .set({ resolved_ms: atMs, resolved_by: actorOf(grant.viewer) })
      .where('rule_id', '=', ruleId)
      .where('resolved_ms', 'is', null)
      .execute()
    await tx.deleteFrom('alert_rule').where('id', '=', ruleId).execute()
    await audit(tx, grant, 'alert_rule.delete', { ruleId, name }, atMs)
    return { name }
  })
}

async function ruleOf(tx: Records, grant: AlertGrant, operation: string, ruleId: number) {
  const row = await tx
    .selectFrom('alert_rule')
    .select(['id', 'name', 'kind', 'value'])
    .where('id', '=', ruleId)
    .where('project_id', '=', grant.projectId)
    .executeTakeFirst()
  if (row) return row
  throw new SondeError('not-found', `this project has no alert rule ${ruleId}`, {
    operation,
    subject: String(ruleId),
  })
}

const MINUTE_MS = 60_000

/** From the minute that begins now on. */
async function setWatermark(tx: Records, ruleId: number, rule: AnyRule, atMs: number): Promise<void> {
  await tx.deleteFrom('alert_rule_state').where('rule_id', '=', ruleId).execute()
  if (!isWindowed(rule)) return
  const evaluated_ms = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
  await tx.insertInto('alert_rule_state').values({ rule_id: ruleId, evaluated_ms }).execute()
}

/** Errors stand beside the rule's own fields. */
function readRule(operation: string, kind: AlertRuleKind, given: unknown): AnyRule {
  const result = RULES[kind].safeParse(given)
  if (result.success) return { kind, rule: result.data } as AnyRule
  const fields: Record<string, string[]> = {}
  for (const { path, message } of result.error.issues) {
    const field = String((path[0] === 'metric' ? path[1] : path[0]) ?? 'rule')
    fields[field] = [...(fields[field] ?? []), message]
  }
  throw new InvalidInput(operation, fields)
}

async function checkRule(
  tx: Records,
  { clock }: CommandDeps,
  operation: string,
  grant: AlertGrant,
  rule: AnyRule,
): Promise<void> {
  // Whoever makes a rule reads events by it.
  const problems = await problemsOfRule({ records: tx, clock }, requireAlso(grant, 'event:read'), rule)
  if (Object.keys(problems).length > 0) throw new InvalidInput(operation, problems)
}

const audit = (
  tx: Records,
  grant: AlertGrant,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> =>
  writeAudit(tx, { orgId: grant.orgId, viewer: grant.viewer, action, subject: nameOf(grant), detail, atMs })
