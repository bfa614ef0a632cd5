/** A fingerprint that takes the place of one that people merged is given back with it. */
import type { Records } from '@sonde/stores'

export async function rememberHash(
  tx: Records,
  projectId: number,
  before: readonly string[],
  hash: string,
): Promise<void> {
  const merges = await tx
    .selectFrom('issue_merge')
    .select(['issue_id', 'hashes'])
    .where('project_id', '=', projectId)
    .execute()
  for (const { issue_id: issueId, hashes } of merges) {
    const own = JSON.parse(hashes) as string[]
    if (!before.some((each) => own.includes(each)) || own.includes(hash)) continue
    await tx
      .updateTable('issue_merge')
      .set({ hashes: JSON.stringify([...own, hash]) })
      .where('issue_id', '=', issueId)
      .execute()
  }
}
