/**
 * Notes in which releases and environments issues were seen, and that an issue was seen in another one: alerts are about
 * that. Runs inside the transaction that counts the batch; what is remembered costs it nothing.
 */
import { createBoundedMap } from '@sonde/base'
import type { IssueChange, IssueSeenKind, Records } from '@sonde/stores'
import type { ProcessedEvent } from '../process/processed.ts'

type Seen = {
  readonly issueId: number
  readonly projectId: number
  readonly kind: IssueSeenKind
  readonly name: string
  /** The newest of the batch. */
  readonly event: ProcessedEvent
}

/** Whoever has a DSN can name a release of their own in each event. Beyond that an issue has no first time any more. */
const MAX_OF_ISSUE = 1_000
const MAX_REMEMBERED = 50_000

type SeenMemory = { get(key: string): true | undefined; set(key: string, value: true): void }
const memories = new WeakMap<object, SeenMemory>()

function memoryOf(records: object): SeenMemory {
  const memory = memories.get(records) ?? createBoundedMap<string, true>(MAX_REMEMBERED)
  memories.set(records, memory)
  return memory
}

const keyOf = ({ issueId, kind, name }: Pick<Seen, 'issueId' | 'kind' | 'name'>): string =>
  `${issueId} ${kind} ${name}`

export type FirstSeen = {
  /** In the transaction. `fresh`: issues that are new, with the event that says so: it speaks for its release and environment too. */
  note(tx: Records, fresh: ReadonlyMap<number, ProcessedEvent>): Promise<readonly IssueChange[]>
  /** Once the transaction is through. */
  remember(): void
}

/** `records`: those that are open, to which the memory belongs. */
export function firstSeenIn(
  records: object,
  stored: readonly ProcessedEvent[],
  issueOf: ReadonlyMap<ProcessedEvent, number>,
): FirstSeen {
  const memory = memoryOf(records)
  const unknown = new Map<string, Seen>()
  for (const event of stored) {
    const { projectId, issue } = event
    for (const [kind, name] of [
      ['release', issue.release],
      ['environment', issue.environment],
    ] as const) {
      const issueId = issueOf.get(event) ?? 0
      const key = keyOf({ issueId, kind, name })
      if (name === '' || issueId === 0 || memory.get(key)) continue
      const before = unknown.get(key)
      if (before && before.event.issue.timestampMs > issue.timestampMs) continue
      unknown.set(key, { issueId, projectId, kind, name, event })
    }
  }
  const seen = [...unknown.values()]
  return {
    note: (tx, fresh) => note(tx, seen, fresh),
    remember() {
      for (const each of seen) memory.set(keyOf(each), true)
    },
  }
}

// Three parameters for each row; SQLite takes 32,766 in one statement.
const ROWS_AT_ONCE = 2_000

async function note(
  tx: Records,
  seen: readonly Seen[],
  fresh: ReadonlyMap<number, ProcessedEvent>,
): Promise<readonly IssueChange[]> {
  const changes: IssueChange[] = []
  for (let at = 0; at < seen.length; at += ROWS_AT_ONCE)
    changes.push(...(await noteSome(tx, seen.slice(at, at + ROWS_AT_ONCE), fresh)))
  return changes
}

async function noteSome(
  tx: Records,
  seen: readonly Seen[],
  fresh: ReadonlyMap<number, ProcessedEvent>,
): Promise<readonly IssueChange[]> {
  // Deleted meanwhile: a row of it would be refused.
  const there = await tx
    .selectFrom('issue')
    .leftJoin('issue_seen', 'issue_seen.issue_id', 'issue.id')
    .select(['issue.id', 'issue_seen.kind'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('issue.id', 'in', [...new Set(seen.map(({ issueId }) => issueId))])
    .groupBy(['issue.id', 'issue_seen.kind'])
    .execute()
  const known = new Set(there.map(({ id }) => id))
  const counts = new Map(there.map(({ id, kind, count }) => [`${id} ${kind}`, count]))
  const countOf = ({ issueId, kind }: Pick<Seen, 'issueId' | 'kind'>): number =>
    counts.get(`${issueId} ${kind}`) ?? 0
  const wanted = seen.filter((each) => known.has(each.issueId) && countOf(each) < MAX_OF_ISSUE)
  if (wanted.length === 0) return []
  const inserted = await tx
    .insertInto('issue_seen')
    .values(wanted.map(({ issueId, kind, name }) => ({ issue_id: issueId, kind, name })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['issue_id', 'kind', 'name'])
    .execute()
  const first = new Set(inserted.map(({ issue_id: issueId, kind, name }) => keyOf({ issueId, kind, name })))
  return wanted.flatMap((each) => {
    // What an issue of an earlier Sonde was seen in before, nobody wrote down: it begins without a word.
    const { issueId, projectId, kind, name, event } = each
    const told = fresh.get(issueId)
    if (!first.has(keyOf(each)) || (countOf(each) === 0 && !told) || told?.issue[kind] === name) return []
    return [{ projectId, issueId, kind: `first_seen_in_${kind}` as const, eventId: event.eventId }]
  })
}
