/**
 * Resolves the issues that the commits of a release say they fix, in that release. A commit is linked with an issue once,
 * and only a new link resolves: told again, the same commits leave alone what somebody has reopened meanwhile.
 */
import type { Grant } from '@sonde/access'
import { inProjects, mergedInto, noteIssueChanges, type Records } from '@sonde/stores'
import { nameOf, writeAudit } from '../audit.ts'
import { issuesFixedBy } from './fixed-issues.ts'

export type WrittenCommit = { readonly id: number; readonly sha: string; readonly message: string }
type CommittedRelease = { readonly releaseId: number; readonly version: string }

/** Of one call. */
const MAX_LINKS = 10_000
// SQLite binds 32,766 values in a statement.
const ROWS_AT_ONCE = 1_000

/**
 * Issues of the release's projects alone, and of the grant's; what else a message names is passed over. Runs inside the
 * transaction of the command. `commits`: the newest first, which is the one that an issue counts as resolved by.
 */
export async function resolveByCommits(
  tx: Records,
  grant: Grant<'release:write', 'org' | 'project'>,
  release: CommittedRelease,
  commits: readonly WrittenCommit[],
  atMs: number,
): Promise<void> {
  const named = commits
    .flatMap((commit) => issuesFixedBy(commit.message).map((issue) => ({ ...issue, commit })))
    .slice(0, MAX_LINKS)
  if (named.length === 0) return
  const projects = await projectsOf(tx, grant, release.releaseId)
  const fixedBy = new Map<number, WrittenCommit>()
  const links: { issueId: number; commit: WrittenCommit }[] = []
  for (const [slug, own] of Map.groupBy(named, ({ projectSlug }) => projectSlug)) {
    const projectId = projects.get(slug)
    if (projectId === undefined) continue
    const idOf = await idsOfNumbers(tx, projectId, [...new Set(own.map(({ number }) => number))])
    for (const { number, commit } of own) {
      const issueId = idOf.get(number)
      if (issueId !== undefined) links.push({ issueId, commit })
    }
  }
  const fresh = await writeLinks(tx, release.version, links, atMs)
  for (const { issueId, commit } of links)
    if (fresh.has(keyOf(issueId, commit.id)) && !fixedBy.has(issueId)) fixedBy.set(issueId, commit)
  await resolve(tx, grant, release.version, fixedBy, atMs)
}

async function projectsOf(
  tx: Records,
  grant: Grant<'release:write', 'org' | 'project'>,
  releaseId: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .selectFrom('release_project')
    .innerJoin('project', 'project.id', 'release_project.project_id')
    .select(['project.id', 'project.slug'])
    .where('release_project.release_id', '=', releaseId)
    .where(inProjects(grant))
    .execute()
  return new Map(rows.map(({ id, slug }) => [slug, id]))
}

/** The number of one that became part of another leads there. */
async function idsOfNumbers(
  tx: Records,
  projectId: number,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>()
  for (let at = 0; at < numbers.length; at += ROWS_AT_ONCE) {
    const some = numbers.slice(at, at + ROWS_AT_ONCE)
    const moved = await tx
      .selectFrom('issue_redirect')
      .select(['short_number', 'into_issue_id as id'])
      .where('project_id', '=', projectId)
      .where('short_number', 'in', some)
      .execute()
    // One that people merged has its row still.
    const own = await tx
      .selectFrom('issue')
      .select(['short_number', 'id'])
      .where('project_id', '=', projectId)
      .where('short_number', 'in', some)
      .execute()
    const found = [...moved, ...own]
    const leads = await mergedInto(
      tx,
      found.map(({ id }) => id),
    )
    for (const { short_number, id } of found) ids.set(short_number, leads.get(id) ?? id)
  }
  return ids
}

const keyOf = (issueId: number, commitId: number): string => `${issueId} ${commitId}`

/** Returns those that were not there. */
async function writeLinks(
  tx: Records,
  version: string,
  links: readonly { readonly issueId: number; readonly commit: WrittenCommit }[],
  atMs: number,
): Promise<ReadonlySet<string>> {
  const fresh = new Set<string>()
  for (let at = 0; at < links.length; at += ROWS_AT_ONCE) {
    const made = await tx
      .insertInto('issue_commit')
      .values(
        links.slice(at, at + ROWS_AT_ONCE).map(({ issueId, commit }) => ({
          issue_id: issueId,
          commit_id: commit.id,
          version,
          at_ms: atMs,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(['issue_id', 'commit_id'])
      .execute()
    for (const row of made) fresh.add(keyOf(row.issue_id, row.commit_id))
  }
  return fresh
}

/** What is resolved in a release already stays so: that release was said by hand, or by an earlier commit. */
async function resolve(
  tx: Records,
  grant: Grant<'release:write', 'org' | 'project'>,
  version: string,
  fixedBy: ReadonlyMap<number, WrittenCommit>,
  atMs: number,
): Promise<void> {
  const { orgId, viewer } = grant
  const resolved: number[] = []
  const all = [...fixedBy.keys()]
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
    const before = await tx
      .selectFrom('issue')
      .select(['id', 'project_id', 'status'])
      .where('id', 'in', all.slice(at, at + ROWS_AT_ONCE))
      .where(({ eb, or }) => or([eb('status', '!=', 'resolved'), eb('resolved_in', '!=', 'release')]))
      .orderBy('id')
      .execute()
    const ids = before.map(({ id }) => id)
    if (ids.length === 0) continue
    await tx
      .updateTable('issue')
      .set({ status: 'resolved', substatus: '', resolved_in: 'release', resolved_release: version })
      .where('id', 'in', ids)
      .execute()
    const changes = before
      .filter(({ status }) => status !== 'resolved')
      .map(({ id, project_id }) => ({
        projectId: project_id,
        issueId: id,
        kind: 'resolved' as const,
        actor: `commit:${fixedBy.get(id)?.id ?? 0}`,
        detail: { resolvedIn: 'release', release: version },
      }))
    await noteIssueChanges(tx, changes, atMs)
    resolved.push(...ids)
  }
  if (resolved.length === 0) return
  const commits = [...new Set(resolved.map((id) => fixedBy.get(id)?.sha))].slice(0, 100)
  const detail = { count: resolved.length, ids: resolved.slice(0, 100), release: version, commits }
  await writeAudit(tx, { orgId, viewer, action: 'issue.resolve', subject: nameOf(grant), detail, atMs })
}
