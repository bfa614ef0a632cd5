/** What was deleted and can still be restored, newest first. */
import { deletedOrganizationsOf, type Grant, mayAlso, type Viewer } from '@sonde/access'
import { type DeletedKind, withHidden } from '@sonde/stores'
import { actorNames } from './artifacts/reprocessing.ts'
import type { QueryDeps } from './query-deps.ts'

export type DeletedLine = {
  readonly id: number
  readonly kind: DeletedKind
  /** Of issues and events, where they were; of a project, its own; of an organization, its own. */
  readonly slug: string
  readonly name: string
  /** How many issues or events, or of an organization projects. */
  readonly count: number
  /** Some of the issues, or of those that the events were of and that are there, in the order of their numbers. */
  readonly issues: readonly { readonly shortId: string; readonly title: string }[]
  /** How many others there are. */
  readonly moreIssues: number
  readonly by: string
  readonly deletedMs: number
  /** When it goes for good. */
  readonly purgeMs: number
}

export type DeletedPage = {
  readonly lines: readonly DeletedLine[]
  /** The page after this begins before the line of that id. */
  readonly nextBefore: number | undefined
}

type Deps = Pick<QueryDeps, 'records' | 'clock'>
const LINES_ON_PAGE = 25
const ISSUES_OF_LINE = 3

/** Events, issues and projects of an organization; projects only for who may delete them. */
export async function recentlyDeleted(
  deps: Deps,
  grant: Grant<'event:delete', 'org'>,
  { before }: { readonly before?: number | undefined } = {},
): Promise<DeletedPage> {
  const { orgId, projects } = grant
  const rows = await lines(deps)
    .where('line.org_id', '=', orgId)
    .where('line.kind', 'in', [
      'issues',
      'events',
      ...(mayAlso(grant, 'project:delete') ? (['project'] as const) : []),
    ])
    .$if(projects !== undefined, (query) =>
      query.where('line.project_id', 'in', projects?.length ? projects : [0]),
    )
    // Issues and events of a project that is itself deleted come back with it.
    .where((eb) =>
      eb.or([
        eb('line.kind', '=', 'project'),
        eb('line.project_id', 'not in', eb.selectFrom('hidden_project').select('hidden_project.project_id')),
      ]),
    )
    .$if(before !== undefined, (query) => query.where('line.id', '<', before ?? 0))
    .limit(LINES_ON_PAGE + 1)
    .execute()
  const shown = rows.slice(0, LINES_ON_PAGE)
  return {
    lines: await withNames(deps, shown),
    nextBefore: rows.length > LINES_ON_PAGE ? shown.at(-1)?.id : undefined,
  }
}

/** Organizations: those that the viewer owned, all for who looks after the installation. */
export async function deletedOrganizations(deps: Deps, viewer: Viewer): Promise<readonly DeletedLine[]> {
  const ids = await deletedOrganizationsOf(deps.records, viewer)
  if (ids.length === 0) return []
  const rows = await lines(deps)
    .where('line.kind', '=', 'organization')
    .where('line.org_id', 'in', ids)
    .execute()
  return withNames(deps, rows)
}

const lines = ({ records, clock }: Deps) =>
  withHidden(records)
    .selectFrom('recently_deleted as line')
    .innerJoin('organization', 'organization.id', 'line.org_id')
    .leftJoin('project', 'project.id', 'line.project_id')
    .select(['line.id', 'line.kind', 'line.count', 'line.actor', 'line.deleted_ms', 'line.purge_ms'])
    .select(['organization.slug as orgSlug', 'organization.name as orgName'])
    .select(['project.slug as projectSlug', 'project.name as projectName'])
    .where('line.purge_ms', '>', clock.nowMs())
    .orderBy('line.id', 'desc')

type Row = Awaited<ReturnType<ReturnType<typeof lines>['execute']>>[number]

async function withNames({ records }: Deps, rows: readonly Row[]): Promise<readonly DeletedLine[]> {
  const idsOf = (kind: DeletedKind) => rows.filter((row) => row.kind === kind).map(({ id }) => id)
  const [names, issues, places] = await Promise.all([
    actorNames(
      records,
      rows.map(({ actor }) => actor),
    ),
    issuesOf(records, idsOf('issues')),
    placesOf(records, idsOf('events')),
  ])
  const namedOf = ({ id, kind, count }: Row): { issues: readonly Named[]; total: number } =>
    kind === 'issues' ? { issues: issues.get(id) ?? [], total: count } : (places.get(id) ?? NONE)
  return rows
    .map((row) => ({ row, ...namedOf(row) }))
    .map(({ row, issues: named, total }) => ({
      id: row.id,
      kind: row.kind,
      slug: row.projectSlug ?? row.orgSlug,
      name: row.projectName ?? row.orgName,
      count: row.count,
      moreIssues: Math.max(0, total - named.length),
      issues: named.map(({ number, title }) => ({
        shortId: `${(row.projectSlug ?? '').toUpperCase()}-${number}`,
        title,
      })),
      by: names.get(row.actor) ?? '',
      deletedMs: row.deleted_ms,
      purgeMs: row.purge_ms,
    }))
}

type Named = { readonly number: number; readonly title: string }
const NONE = { issues: [], total: 0 }

/** Issues of deleted events: one that was deleted too has no address, and is counted alone. */
async function placesOf(
  records: QueryDeps['records'],
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly issues: readonly Named[]; readonly total: number }>> {
  if (lineIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('event_deletion')
    .select(['id', 'issues'])
    .where('id', 'in', lineIds)
    .execute()
  const ids = new Map(rows.map((row) => [row.id, JSON.parse(row.issues) as number[]]))
  const first = [...new Set([...ids.values()].flatMap((own) => own.slice(0, ISSUES_OF_LINE)))]
  if (first.length === 0) return new Map()
  const found = await records
    .selectFrom('issue')
    .select(['id', 'short_number as number', 'title'])
    .where('id', 'in', first)
    .orderBy('number')
    .execute()
  return new Map(
    [...ids].map(([line, own]) => {
      const some = new Set(own.slice(0, ISSUES_OF_LINE))
      return [line, { issues: found.filter(({ id }) => some.has(id)), total: own.length }]
    }),
  )
}

/** The first of each line; without those that were merged into another of them. */
async function issuesOf(
  records: QueryDeps['records'],
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Named[]>> {
  if (lineIds.length === 0) return new Map()
  const rows = await withHidden(records)
    .with('ranked', (db) =>
      db
        .selectFrom('hidden_issue')
        .innerJoin('issue', 'issue.id', 'hidden_issue.issue_id')
        .select(['hidden_issue.deleted_id as line', 'issue.short_number as number', 'issue.title'])
        .select((eb) =>
          eb.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('hidden_issue.deleted_id').orderBy('issue.short_number'))
            .as('rank'),
        )
        .where('hidden_issue.deleted_id', 'in', lineIds)
        .where('issue.id', 'not in', (eb) => eb.selectFrom('issue_merge').select('issue_merge.issue_id')),
    )
    .selectFrom('ranked')
    .select(['line', 'number', 'title'])
    .where('rank', '<=', ISSUES_OF_LINE)
    .orderBy('number')
    .execute()
  return Map.groupBy(rows, ({ line }) => line)
}
