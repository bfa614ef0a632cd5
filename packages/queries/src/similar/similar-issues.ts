/** "Have we seen something like this?" on the issue screen. */
import { type IssueRow, issueRow, selectIssues } from '../issues/issue-row.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type Likeness, likeness, messageWords, stackFunctions, type Traits } from './likeness.ts'

export type SimilarIssue = Likeness & { readonly issue: IssueRow }

/** Compared by what the records know, the last seen first: who looks for a relative of an issue looks for living ones. */
const MAX_COMPARED = 2_000
/** The best of them are compared by their stacks too: a payload is read for each. */
const MAX_STACKS = 12
/** Below it a person sees no likeness: the type alone, a word or two. */
const MIN_SCORE = 0.4

/**
 * Issues of the same project, the most alike first; the score is explained in `likeness.ts`. Bounded: 2,000 rows of
 * the records along `issue_by_last_seen`, then the newest events of 13 issues. `issue` comes from `findIssue` or
 * `issueDetail`, which looked it up within a grant.
 */
export async function similarIssues(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  issue: IssueRow,
  limit = 5,
): Promise<readonly SimilarIssue[]> {
  const own = traitsOf(issue)
  const others = await comparedIssues(deps, issue)
  const likely = others
    .map((other) => ({ other, traits: traitsOf(other) }))
    .map((row) => ({ ...row, score: likeness(own, row.traits).score }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || b.other.id - a.other.id)
    .slice(0, MAX_STACKS)
  if (likely.length === 0) return []
  const functions = await stackFunctions(deps, issue.project.id, [issue, ...likely.map(({ other }) => other)])
  const ownFull = { ...own, functions: functions.get(issue.id) }
  const best = likely
    .map(({ other, traits }) => ({
      id: other.id,
      ...likeness(ownFull, { ...traits, functions: functions.get(other.id) }),
    }))
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, limit)
  return withRows(deps, best)
}

type Compared = Pick<IssueRow, 'id' | 'title' | 'culprit' | 'metadata' | 'lastEventId'>

async function comparedIssues(
  { records }: Pick<QueryDeps, 'records'>,
  issue: IssueRow,
): Promise<readonly Compared[]> {
  const rows = await records
    .selectFrom('issue')
    .select(['id', 'title', 'culprit', 'metadata', 'last_event_id as lastEventId'])
    .where('project_id', '=', issue.project.id)
    .where('event_count', '>', 0)
    .orderBy('last_seen_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_COMPARED)
    .execute()
  return rows
    .filter((row) => row.id !== issue.id)
    .map((row) => ({ ...row, metadata: JSON.parse(row.metadata) as Record<string, string> }))
}

function traitsOf({ title, culprit, metadata }: Compared): Traits {
  const { type = '', value, filename = '', function: name = '' } = metadata
  return {
    words: messageWords(value ?? (type === '' ? title : '')),
    type,
    culprit,
    place: filename === '' || name === '' ? '' : `${filename}:${name}`,
    functions: undefined,
  }
}

async function withRows(
  { records }: Pick<QueryDeps, 'records'>,
  best: readonly (Likeness & { readonly id: number })[],
): Promise<readonly SimilarIssue[]> {
  if (best.length === 0) return []
  const ids = best.map(({ id }) => id)
  const rows = await selectIssues(records).where('issue.id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, issueRow(row)]))
  return best.flatMap(({ id, score, reason }) => {
    const found = byId.get(id)
    return found ? [{ issue: found, score, reason }] : []
  })
}
