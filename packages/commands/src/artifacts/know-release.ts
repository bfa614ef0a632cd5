/** A release that something was uploaded for is one, before its first event comes. */
import { BundleError, type Records } from '@sonde/stores'
import { versionField } from '../releases/release-fields.ts'
import type { NewBundle } from './commit-bundle.ts'

const MAX_DIST_CHARS = 64

/** Throws `BundleError` for names that no event can have; empty: none. */
export function checkRelease(release: string, dist: string): void {
  const { error } = versionField.safeParse(release)
  if (release !== '' && error)
    throw new BundleError(
      `the release ${JSON.stringify(release.slice(0, 100))} is not allowed: a name ${error.issues[0]?.message}`,
    )
  if (dist.length > MAX_DIST_CHARS)
    throw new BundleError(`the dist has more than ${MAX_DIST_CHARS} characters`)
}

/** In the transaction of the upload, after its bundle: the projects are those that are there. */
export async function knowRelease(
  tx: Records,
  { orgId, release, atMs }: Pick<NewBundle, 'orgId' | 'release' | 'atMs'>,
  bundleId: number,
): Promise<void> {
  if (release === '') return
  const times = { date_started_ms: null, date_released_ms: null, created_ms: atMs }
  await tx
    .insertInto('release')
    .values({ org_id: orgId, version: release, url: null, ...times })
    .onConflict((on) => on.doNothing())
    .execute()
  await tx
    .insertInto('release_project')
    .columns(['release_id', 'project_id', 'first_event_ms', 'last_event_ms'])
    .expression((eb) =>
      eb
        .selectFrom('artifact_bundle_project')
        .innerJoin('release', (join) =>
          join.on('release.org_id', '=', orgId).on('release.version', '=', release),
        )
        .select([
          'release.id',
          'artifact_bundle_project.project_id',
          eb.lit(null).as('first_event_ms'),
          eb.lit(null).as('last_event_ms'),
        ])
        .where('artifact_bundle_project.bundle_id', '=', bundleId),
    )
    .onConflict((on) => on.doNothing())
    .execute()
}
