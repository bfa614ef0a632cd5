/** Makes, changes and deletes alert rules of a project. */
import { actorOf, type Grant } from '@sonde/access'
import {
  DEFAULT_RULE,
  ISSUE_RULE,
  type IssueRule,
  type IssueRuleInput,
  problemsOfRule,
  RULE_LIMITS,
} from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, nameField, readInput } from '../fields.ts'

type AlertGrant = Grant<'alert:write', 'project'>

const CREATE = z.object({ name: nameField, rule: ISSUE_RULE })

export type CreateAlertRuleInput = { readonly name: string; readonly rule: IssueRuleInput }

/** Throws `InvalidInput`. */
export async function createAlertRule(
  deps: CommandDeps,
  grant: AlertGrant,
  input: CreateAlertRuleInput,
): Promise<{ readonly id: number }> {
  const operation = 'create an alert rule'
  const { name, rule } = readRule(operation, CREATE, input)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    await checkRule(tx, operation, grant, rule)
    const { count } = await tx
      .selectFrom('alert_rule')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('project_id', '=', grant.projectId)
      .executeTakeFirstOrThrow()
    if (Number(count) >= RULE_LIMITS.rules)
      throw new InvalidInput(operation, {
        name: [`a project has at most ${RULE_LIMITS.rules} rules: delete one`],
      })
    const createdBy = actorOf(grant.viewer)
    const { id } = await tx
      .insertInto('alert_rule')
      .values({ ...columnsOf(grant.projectId, name, rule, atMs), origin: '', created_by: createdBy })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, grant, 'alert_rule.create', { ruleId: id, name }, atMs)
    return { id }
  })
}

/** What every project begins with. Within the transaction that makes the project. */
export async function insertDefaultRule(tx: Records, projectId: number, atMs: number): Promise<void> {
  const { name, rule } = DEFAULT_RULE
  await tx
    .insertInto('alert_rule')
    .values({ ...columnsOf(projectId, name, rule, atMs), origin: 'default', created_by: '' })
    .execute()
}

const columnsOf = (projectId: number, name: string, rule: IssueRule, atMs: number) => ({
  project_id: projectId,
  kind: 'issue' as const,
  name,
  value: JSON.stringify(rule),
  created_ms: atMs,
  updated_ms: atMs,
})

const ID = { ruleId: z.int().positive() }
const UPDATE = z.object({
  ...ID,
  name: nameField.optional(),
  rule: ISSUE_RULE.optional(),
  isEnabled: z.boolean().optional(),
  mutedUntilMs: z.int().positive().nullable().optional(),
})

/** What is left out stays. `mutedUntilMs`: null ends it. */
export type UpdateAlertRuleInput = {
  readonly ruleId: number
  readonly name?: string | undefined
  readonly rule?: IssueRuleInput | undefined
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
  const { ruleId, name, rule, isEnabled, mutedUntilMs } = readRule(operation, UPDATE, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const before = await ruleOf(tx, grant, operation, ruleId)
    if (rule) await checkRule(tx, operation, grant, rule)
    await tx
      .updateTable('alert_rule')
      .set({
        updated_ms: atMs,
        ...(name !== undefined && { name }),
        ...(rule && { value: JSON.stringify(rule) }),
        ...(isEnabled !== undefined && { is_enabled: isEnabled ? 1 : 0 }),
        ...(mutedUntilMs !== undefined && { muted_until_ms: mutedUntilMs }),
      })
      .where('id', '=', ruleId)
      .execute()
    const detail = {
      ruleId,
      name: name ?? before.name,
      isEnabled,
      mutedUntilMs,
      isRuleChanged: rule !== undefined,
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
    .select(['id', 'name'])
    .where('id', '=', ruleId)
    .where('project_id', '=', grant.projectId)
    .executeTakeFirst()
  if (row) return row
  throw new SondeError('not-found', `this project has no alert rule ${ruleId}`, {
    operation,
    subject: String(ruleId),
  })
}

/** Errors of the rule's own fields stand beside them, not beside `rule`. */
function readRule<Schema extends z.ZodType>(
  operation: string,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const fields: Record<string, string[]> = {}
  for (const { path, message } of result.error.issues) {
    const field = String((path[0] === 'rule' ? path[1] : path[0]) ?? 'input')
    fields[field] = [...(fields[field] ?? []), message]
  }
  throw new InvalidInput(operation, fields)
}

async function checkRule(tx: Records, operation: string, grant: AlertGrant, rule: IssueRule): Promise<void> {
  const problems = await problemsOfRule(tx, grant.orgId, rule)
  if (Object.keys(problems).length > 0) throw new InvalidInput(operation, problems)
}

const audit = (
  tx: Records,
  grant: AlertGrant,
  action: string,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> =>
  writeAudit(tx, { orgId: grant.orgId, viewer: grant.viewer, action, subject: nameOf(grant), detail, atMs })
