/** Which releases of a project began since a rule is there, and were not judged for it yet. */
import type { Records } from '@sonde/stores'
import type { ReleaseRule } from '../rules/rule.ts'

/** Of all projects; the others wait until these are judged. */
const RULES_AT_ONCE = 2_000
/** Of one rule. */
const RELEASES_AT_ONCE = 100

export type ReleaseRuleRow = Awaited<ReturnType<typeof readReleaseRules>>[number]

/** Those that are on. */
export const readReleaseRules = (records: Records) =>
  records
    .selectFrom('alert_rule')
    .innerJoin('alert_rule_state', 'alert_rule_state.rule_id', 'alert_rule.id')
    .innerJoin('project', 'project.id', 'alert_rule.project_id')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select(['alert_rule.id', 'alert_rule.name', 'alert_rule.value', 'alert_rule.muted_until_ms'])
    .select(['alert_rule.project_id', 'project.slug as project_slug', 'project.org_id'])
    .select(['organization.slug as org_slug', 'alert_rule_state.evaluated_ms as since_ms'])
    .where('alert_rule.kind', '=', 'release')
    .where('alert_rule.is_enabled', '=', 1)
    .orderBy('alert_rule.id')
    .limit(RULES_AT_ONCE)
    .execute()

export type BegunRelease = {
  readonly id: number
  readonly version: string
  readonly beganMs: number
  /** So often it was looked at. */
  readonly looks: number
}

/** In the order in which they were first heard of. */
export async function begunReleases(
  records: Records,
  row: Pick<ReleaseRuleRow, 'id' | 'project_id' | 'since_ms'>,
  { begins, environment }: Pick<ReleaseRule, 'begins' | 'environment'>,
  order: 'asc' | 'desc' = 'asc',
): Promise<readonly BegunRelease[]> {
  const open = records
    .selectFrom('release_project')
    .innerJoin('release', 'release.id', 'release_project.release_id')
    .leftJoin('release_judgement', (join) =>
      join
        .onRef('release_judgement.release_id', '=', 'release.id')
        .on('release_judgement.rule_id', '=', row.id),
    )
    .where('release_project.project_id', '=', row.project_id)
    .where('release_judgement.judged_ms', 'is', null)
  if (begins === 'first_event') {
    const rows = await open
      .select(['release.id', 'release.version', 'release_project.first_event_ms', 'release_judgement.looks'])
      .where('release_project.first_event_ms', '>=', row.since_ms)
      .orderBy('release.id', order)
      .limit(RELEASES_AT_ONCE)
      .execute()
    return rows.map(({ id, version, first_event_ms, looks }) => ({
      id,
      version,
      beganMs: first_event_ms ?? 0,
      looks: looks ?? 0,
    }))
  }
  const rows = await open
    .innerJoin('deploy', 'deploy.release_id', 'release.id')
    .select(['release.id', 'release.version', 'release_judgement.looks'])
    .select(({ fn }) => fn.min<number>('deploy.finished_ms').as('began_ms'))
    .where(({ exists, not, or, selectFrom }) => {
      const named = selectFrom('deploy_project').whereRef('deploy_id', '=', 'deploy.id').select('deploy_id')
      return or([not(exists(named)), exists(named.where('project_id', '=', row.project_id))])
    })
    .$if(environment !== '', (query) => query.where('deploy.environment', '=', environment))
    .groupBy(['release.id', 'release.version', 'release_judgement.looks'])
    .having(({ eb, fn }) => eb(fn.min('deploy.finished_ms'), '>=', row.since_ms))
    .orderBy('release.id', order)
    .limit(RELEASES_AT_ONCE)
    .execute()
  return rows.map(({ id, version, began_ms, looks }) => ({
    id,
    version,
    beganMs: began_ms,
    looks: looks ?? 0,
  }))
}
