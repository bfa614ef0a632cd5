/**
 * The records as people see them: what was deleted and can still be restored is not there. Whoever reads for people is handed
 * these, so no query has to think of it; work on what is stored (the pipeline, sweeps, erasures, backups) has all rows.
 */
import {
  AliasNode,
  AndNode,
  ColumnNode,
  type DeleteQueryNode,
  IdentifierNode,
  JoinNode,
  type KyselyPlugin,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  ParensNode,
  type QueryId,
  RawNode,
  ReferenceNode,
  type SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  WhereNode,
} from 'kysely'
import type { Records, RecordsSchema } from './schema.ts'

type Table = keyof RecordsSchema
/** A column, and the list that says which of its values are hidden. `?`: it may be null, which hides nothing. */
type Hidden = readonly [column: string, list: 'organization' | 'project' | 'issue', nullable?: '?']

const BY_ORG: readonly Hidden[] = [['org_id', 'organization']]
const BY_PROJECT: readonly Hidden[] = [['project_id', 'project']]
const BY_ISSUE: readonly Hidden[] = [['issue_id', 'issue']]

/** All tables whose rows are of an organization, a project or an issue; a test reads the columns out of the engine. */
export const HIDDEN_BY: Readonly<Partial<Record<Table, readonly Hidden[]>>> = {
  organization: [['id', 'organization']],
  project: [
    ['id', 'project'],
    ['org_id', 'organization'],
  ],
  issue: [
    ['id', 'issue'],
    ['project_id', 'project'],
  ],
  activity_setting: [['project_id', 'project', '?']],
  alert_rule: BY_PROJECT,
  api_token: [['org_id', 'organization', '?']],
  artifact_assembly: BY_ORG,
  artifact_bundle: BY_ORG,
  artifact_bundle_project: BY_PROJECT,
  artifact_chunk: BY_ORG,
  artifact_file: BY_ORG,
  attachment: BY_PROJECT,
  attachment_usage: BY_PROJECT,
  channel_message: [['issue_id', 'issue', '?']],
  codeowners_file: BY_PROJECT,
  codeowners_owner: BY_PROJECT,
  cron_arrival: BY_PROJECT,
  cron_monitor: BY_PROJECT,
  dead_letter: [['project_id', 'project', '?']],
  default_search: BY_ORG,
  deploy_project: BY_PROJECT,
  discarded_hash: BY_PROJECT,
  erasure: BY_ORG,
  export_plan: BY_ORG,
  export_run: BY_ORG,
  event_deletion: BY_PROJECT,
  held_event: BY_PROJECT,
  incident: [
    ['project_id', 'project'],
    ['issue_id', 'issue', '?'],
  ],
  invitation: BY_ORG,
  issue_bookmark: BY_ISSUE,
  issue_change: [
    ['project_id', 'project'],
    ['issue_id', 'issue'],
  ],
  issue_commit: BY_ISSUE,
  issue_day: BY_ISSUE,
  issue_hash: BY_PROJECT,
  issue_merge: [
    ['issue_id', 'issue'],
    ['project_id', 'project'],
  ],
  issue_merge_base: BY_ISSUE,
  issue_owner: BY_ISSUE,
  issue_redirect: [
    ['project_id', 'project'],
    ['into_issue_id', 'issue'],
  ],
  issue_seen: BY_ISSUE,
  issue_share: BY_ISSUE,
  issue_snooze: BY_ISSUE,
  issue_subscription: BY_ISSUE,
  issue_view: BY_ISSUE,
  language_model: BY_ORG,
  member: BY_ORG,
  notification: [
    ['org_id', 'organization'],
    ['project_id', 'project', '?'],
  ],
  notification_action: BY_ORG,
  notification_action_project: BY_PROJECT,
  notification_channel: BY_ORG,
  notification_setting: [['project_id', 'project', '?']],
  owner_request: [
    ['issue_id', 'issue'],
    ['project_id', 'project'],
  ],
  pinned_search: BY_ORG,
  project_key: BY_PROJECT,
  project_ownership: BY_PROJECT,
  project_setting: BY_PROJECT,
  release: BY_ORG,
  release_project: BY_PROJECT,
  replay_deletion: BY_PROJECT,
  replay_segment: BY_PROJECT,
  replay_view: BY_PROJECT,
  repository: BY_ORG,
  retention_rule: BY_PROJECT,
  saved_search: BY_ORG,
  scim_connection: BY_ORG,
  scim_user: BY_ORG,
  source_commit: BY_ORG,
  spike: BY_PROJECT,
  spike_baseline: BY_PROJECT,
  spike_minute: BY_PROJECT,
  sso_connection: BY_ORG,
  sso_domain: BY_ORG,
  sso_session: BY_ORG,
  status_page: BY_ORG,
  team: BY_ORG,
  team_project: BY_PROJECT,
  tracker_connection: BY_ORG,
  tracker_link: BY_ISSUE,
  uptime_monitor: BY_PROJECT,
}

/** Tables with such columns of which all rows are seen, and why. */
export const ALWAYS_SEEN: Readonly<Partial<Record<Table, string>>> = {
  audit_entry: 'says also who deleted what; the page of an organization is not there when it is',
  deletion: 'of what is gone for good',
  issue_deletion: 'of what is gone for good',
  issue_move: 'work of the pipeline, which has all rows',
  newcomer: 'counts of the pipeline',
  ownership_run: 'work that begins again when it is asked for',
  project_hold: 'a lock: it holds whoever sees the project',
  repair: 'work of the pipeline, which has all rows',
  span_usage: 'counts what was stored',
  storage_day: 'measured, also of what is hidden',
  recently_deleted: 'the list itself',
  hidden_organization: 'the list itself',
  hidden_project: 'the list itself',
  hidden_issue: 'the list itself',
  hidden_hash: 'the list itself',
}

/** The same database, for whoever reads and changes on behalf of people. Transactions of it are as it is. */
export const visibleRecords = (records: Records): Records => records.withPlugin(HIDING)

/** All rows again, for what must reach what is hidden: erasing, restoring, a name that is taken. */
export function withHidden(records: Records): Records {
  let all = records.withoutPlugins()
  for (const plugin of records.getExecutor().plugins) if (plugin !== HIDING) all = all.withPlugin(plugin)
  return all
}

class HidingTransformer extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    const query = super.transformSelectQuery(node, queryId)
    return withConditions(query, query.from?.froms ?? [])
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    const query = super.transformUpdateQuery(node, queryId)
    return withConditions(query, [...(query.table ? [query.table] : []), ...(query.from?.froms ?? [])])
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    const query = super.transformDeleteQuery(node, queryId)
    return withConditions(query, [...query.from.froms, ...(query.using?.tables ?? [])])
  }
}

type Narrowed = { readonly where?: WhereNode; readonly joins?: readonly JoinNode[] }

function withConditions<Query extends Narrowed>(query: Query, froms: readonly OperationNode[]): Query {
  const joins = query.joins?.map(narrowJoin)
  const condition = together(froms.flatMap(conditionsOf))
  if (!condition) return joins ? { ...query, joins } : query
  const where = WhereNode.create(
    query.where ? AndNode.create(closed(query.where.where), condition) : condition,
  )
  return { ...query, where, ...(joins && { joins }) }
}

/** What an outer join does not find is not there, rather than the row that asked. */
function narrowJoin(join: JoinNode): JoinNode {
  const condition = together(conditionsOf(join.table))
  if (!condition) return join
  return { ...join, on: OnNode.create(join.on ? AndNode.create(closed(join.on.on), condition) : condition) }
}

/** What somebody wrote as SQL may have an `or`. */
const closed = (node: OperationNode): OperationNode => (RawNode.is(node) ? ParensNode.create(node) : node)

const together = (conditions: readonly OperationNode[]): OperationNode | undefined => {
  const [first, ...rest] = conditions
  return first && rest.reduce((all, one) => AndNode.create(all, one), first)
}

function conditionsOf(from: OperationNode): readonly OperationNode[] {
  const table = AliasNode.is(from) ? from.node : from
  if (!TableNode.is(table)) return []
  const name = table.table.identifier.name
  const alias = AliasNode.is(from) && IdentifierNode.is(from.alias) ? from.alias.name : name
  const hidden = Object.hasOwn(HIDDEN_BY, name) ? (HIDDEN_BY[name as Table] ?? []) : []
  return hidden.map(([column, list, nullable]) => {
    const reference = ReferenceNode.create(ColumnNode.create(column), TableNode.create(alias))
    const notIn = ` NOT IN (SELECT ${list === 'organization' ? 'org' : list}_id FROM hidden_${list})`
    return nullable
      ? RawNode.create(['(', ' IS NULL OR ', `${notIn})`], [reference, reference])
      : RawNode.create(['', notIn], [reference])
  })
}

const transformer = new HidingTransformer()
const HIDING: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
}
