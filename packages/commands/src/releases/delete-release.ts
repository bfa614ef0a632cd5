/** Forgets a release: its commits, deploys and dates. Events and source maps of that version stay. */
import type { Grant } from '@sonde/access'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { readInput } from '../invalid-input.ts'
import { releaseIdOf } from './open-release.ts'
import { versionField } from './release-fields.ts'
import { writeTransaction } from '@sonde/stores'

const INPUT = z.object({ version: versionField })

/**
 * The next event of the version makes it again. Throws `InvalidInput`, `SondeError`
 * (`not-found`).
 */
export async function deleteRelease(
  deps: CommandDeps,
  grant: Grant<'release:write', 'org' | 'project'>,
  input: { readonly version: string },
): Promise<void> {
  const operation = 'delete a release'
  const { version } = readInput(operation, INPUT, input)
  const { orgId, orgSlug, viewer } = grant
  await writeTransaction(deps.records, async (tx) => {
    const id = await releaseIdOf(tx, orgId, version, operation)
    const commits = tx.selectFrom('release_commit').select('commit_id').where('release_id', '=', id)
    const others = tx.selectFrom('release_commit').select('commit_id').where('release_id', '!=', id)
    // Before the release: with it go the rows that tell which commits it had.
    await tx.deleteFrom('source_commit').where('id', 'in', commits).where('id', 'not in', others).execute()
    await tx.deleteFrom('release').where('id', '=', id).execute()
    const subject = `${orgSlug} ${version}`
    await writeAudit(tx, { orgId, viewer, action: 'release.delete', subject, atMs: deps.clock.nowMs() })
  })
}
