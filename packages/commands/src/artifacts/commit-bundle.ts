/** Makes an upload known: everything in one transaction, so that it is there as a whole or not at all. */
import { setImmediate } from 'node:timers/promises'
import { BundleError, type BundleKind, type Records, type ReprocessingTarget } from '@sonde/stores'
import { versionField } from '../releases/release-fields.ts'
import type { FileFields } from './bundle-files.ts'

/** A release that something was uploaded for is one, before its first event comes. */
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
export async function upsertRelease(
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

export type NewBundle = {
  readonly orgId: number
  readonly kind: BundleKind
  readonly checksum: string
  readonly debugId: string
  readonly release: string
  readonly dist: string
  readonly projectIds: readonly number[]
  readonly actor: string
  readonly atMs: number
}

// 15 columns; SQLite takes 32,766 parameters.
const ROWS_AT_ONCE = 500

/** Throws `BundleError` when the projects are gone. Returns the bundle's id. */
export async function insertBundle(
  tx: Records,
  bundle: NewBundle,
  files: readonly FileFields[],
): Promise<number> {
  const { orgId, kind, checksum, debugId, release, dist, actor, atMs } = bundle
  const { id } = await tx
    .insertInto('artifact_bundle')
    .values({
      org_id: orgId,
      kind,
      checksum,
      debug_id: debugId,
      release,
      dist,
      actor,
      created_ms: atMs,
      last_used_ms: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addProjects(tx, id, orgId, bundle.projectIds)
  await upsertRelease(tx, bundle, id)
  await insertFiles(tx, { id, orgId, atMs }, files)
  return id
}

export async function insertFiles(
  tx: Records,
  { id, orgId, atMs }: { readonly id: number; readonly orgId: number; readonly atMs: number },
  files: readonly FileFields[],
): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < files.length; at += ROWS_AT_ONCE) {
    const rows = await tx
      .insertInto('artifact_file')
      .values(
        files
          .slice(at, at + ROWS_AT_ONCE)
          .map((file) => ({ ...file, bundle_id: id, org_id: orgId, created_ms: atMs })),
      )
      .returning('id')
      .execute()
    ids.push(...rows.map((row) => row.id))
    // A large upload must not keep probes from being answered.
    await setImmediate()
  }
  return ids
}

/** True when one of them was new. Throws `BundleError` when none of them exists any more. */
export async function addProjects(
  tx: Records,
  bundleId: number,
  orgId: number,
  projectIds: readonly number[],
): Promise<boolean> {
  const there = await tx
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', projectIds)
    .execute()
  if (there.length === 0) throw new BundleError('the project of the upload does not exist any more')
  const added = await tx
    .insertInto('artifact_bundle_project')
    .values(there.map((project) => ({ bundle_id: bundleId, project_id: project.id })))
    .onConflict((on) => on.doNothing())
    .returning('project_id')
    .execute()
  return added.length > 0
}

/**
 * What was stored before can be readable now. In the same transaction, so that it is never forgotten. Files that come one
 * by one ask for the same: once is enough until somebody begins with it.
 */
export async function requestReprocessing(
  tx: Records,
  { orgId, actor, atMs }: Pick<NewBundle, 'orgId' | 'actor' | 'atMs'>,
  wanted: ReprocessingTarget,
): Promise<void> {
  const target = JSON.stringify(wanted)
  const waiting = await tx
    .selectFrom('repair')
    .select('id')
    .where('org_id', '=', orgId)
    .where('finished_ms', 'is', null)
    .where('started_ms', 'is', null)
    .where('target', '=', target)
    .executeTakeFirst()
  if (waiting) return
  const times = { requested_ms: atMs, started_ms: null, finished_ms: null }
  await tx
    .insertInto('repair')
    .values({ org_id: orgId, cause: 'upload', actor, target, ...times })
    .execute()
}

export const debugIdsOf = (files: readonly Pick<FileFields, 'debug_id'>[]): string[] =>
  [...new Set(files.map((file) => file.debug_id))].filter((id) => id !== '')
