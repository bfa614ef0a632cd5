/** The release that an overview is about: the one whose data began last. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { projectRelease, type ReleaseDetail } from '../releases/project-releases.ts'
import { orderedReleases } from '../releases/release-order.ts'

/** Undefined: nothing names a release. Reads the project's releases twice along an index, at most 2,000. */
export async function newestRelease(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'project'>,
): Promise<ReleaseDetail | undefined> {
  const all = await orderedReleases(deps, grant)
  // One that was only made, and not deployed, is not what people use.
  const used = all.filter(({ status, firstEventMs }) => status === 'open' && firstEventMs !== undefined)
  const [newest] = used.toSorted((a, b) => (b.firstEventMs ?? 0) - (a.firstEventMs ?? 0))
  return newest && projectRelease(deps, grant, newest.version)
}
