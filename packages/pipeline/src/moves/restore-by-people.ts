/** Takes the deletion of issues back within its day: they and their fingerprints are there again, with their events. */
import { readHashes, type Records } from '@sonde/stores'
import { named, type NamedIssue } from './merge-by-people.ts'

export type RestoreInput = {
  readonly projectId: number
  /** The line of `recently_deleted`. */
  readonly deletedId: number
  readonly actor: string
}
export type Restored = {
  readonly issues: readonly NamedIssue[]
  /** Issues that were made since of events with their fingerprints: the older one stays. */
  readonly alike: readonly { readonly intoId: number; readonly issueIds: readonly number[] }[]
}

/** Undefined: there is nothing that could be restored. In the transaction, while nothing of the project is in flight. */
export async function restoreInTransaction(
  tx: Records,
  { projectId, deletedId }: RestoreInput,
  atMs: number,
): Promise<Restored | undefined> {
  const line = await tx
    .selectFrom('recently_deleted')
    .select('id')
    .where('id', '=', deletedId)
    .where('kind', '=', 'issues')
    .where('project_id', '=', projectId)
    .where('purge_ms', '>', atMs)
    .executeTakeFirst()
  if (!line) return undefined
  const issues = await tx
    .selectFrom('issue')
    .innerJoin('hidden_issue', 'hidden_issue.issue_id', 'issue.id')
    .selectAll('issue')
    .where('deleted_id', '=', deletedId)
    .where('issue.id', 'not in', (eb) => eb.selectFrom('issue_merge').select('issue_merge.issue_id'))
    .orderBy('short_number')
    .execute()
  const hashes = await tx
    .selectFrom('hidden_hash')
    .select(['issue_id', 'hash'])
    .where('deleted_id', '=', deletedId)
    .execute()
  const taken = await readHashes(
    tx,
    projectId,
    hashes.map(({ hash }) => ({ hashes: [hash] })),
  )
  await tx
    .insertInto('issue_hash')
    .columns(['project_id', 'hash', 'issue_id'])
    .expression((eb) =>
      eb
        .selectFrom('hidden_hash')
        .select(['project_id', 'hash', 'issue_id'])
        .where('deleted_id', '=', deletedId)
        .where('hash', 'not in', (of) =>
          of.selectFrom('issue_hash as known').select('known.hash').where('known.project_id', '=', projectId),
        ),
    )
    .execute()
  await tx.deleteFrom('recently_deleted').where('id', '=', deletedId).execute()
  return { issues: issues.map(named), alike: alikeOf(hashes, taken) }
}

type Hash = { readonly issue_id: number; readonly hash: string }

function alikeOf(hashes: readonly Hash[], taken: ReadonlyMap<string, number>): Restored['alike'] {
  const pairs = new Map<string, readonly [number, number]>()
  for (const { issue_id: own, hash } of hashes) {
    const other = taken.get(hash)
    if (other !== undefined && other !== own)
      pairs.set(`${own} ${other}`, [Math.min(own, other), Math.max(own, other)])
  }
  return [...Map.groupBy(pairs.values(), ([into]) => into)].map(([intoId, some]) => ({
    intoId,
    issueIds: [...new Set(some.map(([, id]) => id))],
  }))
}
