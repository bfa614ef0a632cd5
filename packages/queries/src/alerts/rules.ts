/** Alert rules of a project as their screens show them. What a rule says is JSON, which `packages/alerts` reads. */
import type { Grant } from '@sonde/access'
import { type AlertRuleKind, inProjects, seesProject } from '@sonde/stores'
import { sql } from 'kysely'
import { actorNames } from '../artifacts/reprocessing.ts'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records'>
type ReadGrant = Grant<'alert:read', 'org' | 'project'>

export type AlertRuleRow = {
  readonly id: number
  readonly kind: AlertRuleKind
  readonly projectId: number
  readonly projectSlug: string
  readonly name: string
  /** JSON. */
  readonly value: string
  /** JSON of the API's own, or empty. */
  readonly apiForm: string
  readonly isEnabled: boolean
  readonly mutedUntilMs: number | undefined
  /** Sonde made it with the project. */
  readonly isDefault: boolean
  /** Who made it, for people; of a default rule empty. */
  readonly createdBy: string
  readonly createdMs: number
  readonly updatedMs: number
  /** Why it could not be evaluated; empty: it could. */
  readonly trouble: string
  /** Of rules that count over a time: up to here it was evaluated. */
  readonly evaluatedMs: number | undefined
  /** When it opened or told an incident the last time; undefined: never. */
  readonly lastFiredMs: number | undefined
  readonly openIncidents: number
}

/** All of a project, at most `RULE_LIMITS.rules`, or of an organization: those that are on first, then by name. */
export async function alertRules(deps: Deps, grant: ReadGrant): Promise<readonly AlertRuleRow[]> {
  const rows = await selectRules(deps, grant)
    .orderBy('alert_rule.is_enabled', 'desc')
    .orderBy('alert_rule.name')
    .orderBy('alert_rule.id')
    .execute()
  return shownRules(deps, rows)
}

/** Undefined: the project, or the organization, has none of this id. */
export async function alertRule(
  deps: Deps,
  grant: ReadGrant,
  ruleId: number,
): Promise<AlertRuleRow | undefined> {
  const rows = await selectRules(deps, grant).where('alert_rule.id', '=', ruleId).execute()
  return (await shownRules(deps, rows))[0]
}

const selectRules = ({ records }: Deps, grant: ReadGrant) =>
  records
    .selectFrom('alert_rule')
    .innerJoin('project', 'project.id', 'alert_rule.project_id')
    .leftJoin('alert_rule_state', 'alert_rule_state.rule_id', 'alert_rule.id')
    .select(['alert_rule.id', 'alert_rule.kind', 'alert_rule.name', 'alert_rule.value'])
    .select(['alert_rule.is_enabled', 'alert_rule.muted_until_ms', 'alert_rule.origin'])
    .select(['alert_rule.created_by', 'alert_rule.created_ms', 'alert_rule.updated_ms'])
    .select(['alert_rule.api_form', 'alert_rule.project_id', 'project.slug'])
    .select(['alert_rule_state.trouble', 'alert_rule_state.evaluated_ms'])
    .where(inProjects(grant))

type Row = Awaited<ReturnType<ReturnType<typeof selectRules>['execute']>>[number]

async function shownRules(deps: Deps, rows: readonly Row[]): Promise<readonly AlertRuleRow[]> {
  const ids = rows.map(({ id }) => id)
  const [fired, names] = await Promise.all([
    firedRules(deps, ids),
    actorNames(
      deps.records,
      rows.flatMap(({ created_by: actor }) => (actor === '' ? [] : [actor])),
    ),
  ])
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    projectId: row.project_id,
    projectSlug: row.slug,
    name: row.name,
    value: row.value,
    apiForm: row.api_form,
    isEnabled: row.is_enabled === 1,
    mutedUntilMs: row.muted_until_ms ?? undefined,
    isDefault: row.origin === 'default',
    createdBy: names.get(row.created_by) ?? '',
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    trouble: row.trouble ?? '',
    evaluatedMs: row.evaluated_ms ?? undefined,
    lastFiredMs: fired.get(row.id)?.lastMs,
    openIncidents: fired.get(row.id)?.open ?? 0,
  }))
}

type Fired = { readonly lastMs: number; readonly open: number }

async function firedRules(
  { records }: Deps,
  ruleIds: readonly number[],
): Promise<ReadonlyMap<number, Fired>> {
  if (ruleIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('incident')
    .select(['rule_id'])
    .select(({ fn }) => [
      fn.max<number>('fired_ms').as('last_ms'),
      fn.countAll<number>().as('all'),
      fn.count<number>('resolved_ms').as('resolved'),
    ])
    .where('rule_id', 'in', ruleIds)
    .groupBy('rule_id')
    .execute()
  return new Map(
    rows.flatMap(({ rule_id: id, last_ms: lastMs, all, resolved }) =>
      id === null ? [] : [[id, { lastMs, open: all - resolved }] as const],
    ),
  )
}

export type AlertMember = { readonly userId: string; readonly email: string }

/**
 * For whoever names somebody to be told: those who are active and, of a project, see it. Not to be shown to whoever may not
 * see members.
 */
export const alertMembers = ({ records }: Deps, grant: ReadGrant): Promise<readonly AlertMember[]> =>
  records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id as userId', 'user.email'])
    .where('member.org_id', '=', grant.orgId)
    .where('user.disabledMs', 'is', null)
    .$if('projectId' in grant, (query) =>
      query.where(seesProject(sql.ref('user.id'), sql`${'projectId' in grant ? grant.projectId : 0}`)),
    )
    .execute()

/** For the menu: incidents of the project that nobody resolved. */
export async function openIncidentCount(
  { records }: Deps,
  { projectId }: Pick<Grant<'alert:read', 'project'>, 'projectId'>,
): Promise<number> {
  const { count } = await records
    .selectFrom('incident')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('resolved_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
