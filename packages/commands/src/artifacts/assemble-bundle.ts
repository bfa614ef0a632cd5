/** What an uploader asks before and after it sends chunks: are they there, and what became of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { actorOf, type Grant, type Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { keepChunks, MAX_CHUNKS, type Records, writeTransaction } from '@sonde/stores'
import { readDebugId } from '@sonde/symbols'
import { z } from 'zod'
import type { CommandDeps } from '../command-deps.ts'
import { projectsField, projectsNamed, versionField } from '../releases/release-fields.ts'
import { addProjects, requestReprocessing, upsertRelease } from './commit-bundle.ts'
import { readUploadInput, uploadsOf, withText } from './upload-input.ts'
import { findBundle, readAssembly, type UploadKey, rowOf } from './upload-key.ts'

const sha1Field = z
  .string()
  .regex(/^[0-9a-f]{40}$/i, 'is a SHA-1 in hex')
  .toLowerCase()

const INPUT = z.object({
  checksum: sha1Field,
  chunks: z.array(sha1Field).min(1, 'has at least one').max(MAX_CHUNKS, `has at most ${MAX_CHUNKS}`),
  projects: projectsField,
  release: z.union([z.literal(''), versionField]),
  dist: z.string().trim().max(64, 'has at most 64 characters'),
})

export type AssembleInput = {
  readonly checksum: unknown
  readonly chunks: unknown
  /** Slugs or ids; none: as the upload's manifest says. */
  readonly projects?: unknown
  readonly release?: unknown
  readonly dist?: unknown
}
export type Assembly =
  | { readonly state: 'not_found'; readonly missingChunks: readonly string[] }
  /** `assembling`: it takes longer than a request should; ask again. */
  | { readonly state: 'ok' | 'assembling' }

// The front gives an answer a minute. Clients that do not ask again never hear of an error that comes later.
const WAIT_MS = 45_000

/**
 * The same upload twice is `ok` at once. Throws `SondeError`: `invalid` with a text for who
 * uploaded it (also each time again, while the bytes are the same), `unavailable`.
 */
export async function assembleBundle(
  deps: CommandDeps,
  grant: Grant<'release:write', 'org'>,
  input: AssembleInput,
  waitMs = WAIT_MS,
): Promise<Assembly> {
  const operation = 'put an upload together'
  const given = {
    ...input,
    projects: input.projects ?? [],
    release: input.release ?? '',
    dist: input.dist ?? '',
  }
  const { checksum, chunks, projects, release, dist } = readUploadInput(operation, INPUT, given)
  const { orgId, viewer } = grant
  const projectIds = await withText(projectsNamed(deps.records, grant, operation, projects))
  const key: UploadKey = { orgId, checksum, target: { release, dist, projectIds } }
  return await assembleKey(deps, viewer, key, chunks, waitMs)
}

const DEBUG_FILE = z.object({
  checksum: sha1Field,
  chunks: z.array(sha1Field).max(MAX_CHUNKS, `has at most ${MAX_CHUNKS}`),
  name: z.string().trim().min(1, 'is needed').max(1_000, 'has at most 1,000 characters'),
  debugId: z.union([
    z.literal(''),
    z
      .string()
      .max(60)
      .transform((id) => readDebugId(id) ?? ''),
  ]),
})

/** One debug file of a project; otherwise as `assembleBundle`. */
export async function assembleDebugFile(
  deps: CommandDeps,
  { orgId, projectId, viewer }: Grant<'release:write', 'project'>,
  input: {
    readonly checksum: unknown
    readonly chunks: unknown
    readonly name: unknown
    readonly debugId?: unknown
  },
  waitMs = WAIT_MS,
): Promise<Assembly> {
  const given = { ...input, debugId: input.debugId ?? '' }
  const { checksum, chunks, name, debugId } = readUploadInput('put a debug file together', DEBUG_FILE, given)
  const target = { release: '', dist: '', projectIds: [projectId], debugFile: { name, debugId } }
  return await assembleKey(deps, viewer, { orgId, checksum, target }, chunks, waitMs)
}

async function assembleKey(
  deps: CommandDeps,
  viewer: Viewer,
  key: UploadKey,
  chunks: readonly string[],
  waitMs: number,
): Promise<Assembly> {
  const uploads = uploadsOf(deps)
  const { orgId } = key
  if (await isThere(deps, viewer, key)) return { state: 'ok' }
  await checkRefused(deps.records, key)
  const there = await keepChunks(deps, orgId, [...new Set(chunks)])
  const missingChunks = [...new Set(chunks)].filter((sha1) => !there.has(sha1))
  // Some ask about a file before they cut it: then nothing but its end can be told.
  if (missingChunks.length > 0 || chunks.length === 0) return { state: 'not_found', missingChunks }
  // Whoever asked for the same a moment earlier may have been served since: then it must not begin anew.
  if (!(await note(deps, viewer, key, chunks)) && (await isThere(deps, viewer, key))) return { state: 'ok' }
  const waiting = new AbortController()
  try {
    return await Promise.race([
      uploads.finish(key).then(() => ({ state: 'ok' as const })),
      sleep(waitMs, { state: 'assembling' as const }, { ref: false, signal: waiting.signal }),
    ])
  } finally {
    waiting.abort()
  }
}

/** Already stored: what is new about it is at most a project that may use it. */
async function isThere(deps: CommandDeps, viewer: Viewer, key: UploadKey): Promise<boolean> {
  const { orgId, target } = key
  const { isFound, isChanged } = await writeTransaction(deps.records, async (tx) => {
    const id = await findBundle(tx, key)
    if (id === undefined || target.projectIds.length === 0)
      return { isFound: id !== undefined, isChanged: false }
    const added = await addProjects(tx, id, orgId, target.projectIds)
    if (added) {
      const { projectIds } = target
      const bundle = await tx
        .selectFrom('artifact_bundle')
        .select('release')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const by = { orgId, actor: actorOf(viewer), atMs: deps.clock.nowMs() }
      const release = bundle.release === '' ? {} : { release: bundle.release }
      await upsertRelease(tx, { ...by, release: bundle.release }, id)
      // Debug ids are looked up in the whole organization: those were readable before.
      await requestReprocessing(tx, by, { debugIds: [], projectIds, ...release })
    }
    return { isFound: true, isChanged: added }
  })
  if (isChanged) deps.onArtifacts?.()
  return isFound
}

async function checkRefused(records: Records, key: UploadKey): Promise<void> {
  const row = await readAssembly(records, key)
  if (row?.state === 'error' && row.can_retry === 0)
    throw new SondeError('invalid', row.detail, { operation: 'put an upload together' })
}

/** False: it is stored already. */
async function note(
  { records, clock }: CommandDeps,
  viewer: Viewer,
  key: UploadKey,
  chunks: readonly string[],
): Promise<boolean> {
  const row = {
    chunks: JSON.stringify(chunks),
    actor: actorOf(viewer),
    state: 'created' as const,
    detail: '',
    can_retry: 0,
    updated_ms: clock.nowMs(),
  }
  return writeTransaction(records, async (tx) => {
    if ((await findBundle(tx, key)) !== undefined) return false
    await tx
      .insertInto('artifact_assembly')
      .values({ ...rowOf(key), ...row })
      .onConflict((on) =>
        on
          .columns(['org_id', 'checksum', 'target'])
          .doUpdateSet(row)
          // One that is under way goes on.
          .where('artifact_assembly.state', 'in', ['ok', 'error']),
      )
      .execute()
    return true
  })
}
