/**
 * Puts uploads together in the background, one after the other, so that memory and disk are used by one at a time. What a
 * stop interrupts begins anew with the next start.
 */
import { type Logger, SondeError, UnavailableError } from '@sonde/base'
import { type AssemblyTarget, BundleError, type Records } from '@sonde/stores'
import { createMapInspector } from './inspect/map-inspector.ts'
import { putTogether, type Upload, type UploadStores } from './put-together.ts'
import { rowOf, sameUpload, type UploadKey } from './upload-key.ts'

export type UploadsOptions = Omit<UploadStores, 'maps'> & {
  readonly logger: Logger
  /** Told when files of an upload can be used. */
  readonly onArtifacts?: () => void
  /** The bundle's file of the thread that looks at maps; by default the source. */
  readonly inspectorEntry?: URL
}

/** `quotaBytes` and the rest: for files that come one by one. */
export type Uploads = UploadStores & {
  /**
   * Of an upload that stands in `artifact_assembly`: resolves when it is stored. Asked twice it is done once. Rejects with
   * `SondeError`: `invalid` with a text for who uploaded it, or `unavailable`.
   */
  finish(key: UploadKey): Promise<void>
  stop(): Promise<void>
}

/** Takes up what the last run left. */
export async function startUploads(options: UploadsOptions): Promise<Uploads> {
  const { records, clock, logger } = options
  const maps = createMapInspector(options.inspectorEntry)
  const stores: UploadStores = { ...options, maps }
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  let turn: Promise<unknown> = Promise.resolve()

  const end = async (key: UploadKey, error: unknown): Promise<SondeError> => {
    const told = explain(error)
    if (told.kind !== 'invalid' && !stopping.signal.aborted)
      logger.error({ err: error, checksum: key.checksum, orgId: key.orgId }, 'an upload could not be stored')
    const { checksum } = key
    if (told.kind === 'invalid') logger.info({ checksum, why: told.message }, 'an upload was refused')
    // Left as it is, it goes on with the next start.
    if (stopping.signal.aborted) return told
    const can_retry = error instanceof BundleError ? 0 : 1
    await setState(records, key, { state: 'error', detail: told.message, can_retry }, clock.nowMs())
    return told
  }

  const run = async (key: UploadKey): Promise<void> => {
    try {
      stopping.signal.throwIfAborted()
      const upload = await readUpload(records, key)
      await setState(records, key, { state: 'assembling' }, clock.nowMs())
      await putTogether(stores, upload, stopping.signal)
    } catch (error) {
      throw await end(key, error)
    }
    options.onArtifacts?.()
  }

  const finish = (key: UploadKey): Promise<void> => {
    const name = sameUpload(key)
    const known = running.get(name)
    if (known) return known
    const job = turn.then(() => run(key)).finally(() => running.delete(name))
    turn = job.catch(() => undefined)
    running.set(name, job)
    return job
  }

  for (const key of await unfinished(records)) void finish(key).catch(() => undefined)
  return {
    ...stores,
    finish,
    async stop() {
      stopping.abort()
      await turn
      await maps.close()
    },
  }
}

function explain(error: unknown): SondeError {
  const operation = 'put an upload together'
  if (error instanceof BundleError)
    return new SondeError('invalid', error.message, { operation, cause: error })
  if (error instanceof SondeError && error.kind !== 'internal') return error
  return new UnavailableError('the upload could not be stored: try again', {
    operation,
    cause: error,
    retryAfterSec: 5,
  })
}

type Change = {
  readonly state: 'assembling' | 'error'
  readonly detail?: string
  readonly can_retry?: number
}

async function setState(records: Records, key: UploadKey, change: Change, nowMs: number): Promise<void> {
  const { org_id, checksum, target } = rowOf(key)
  await records
    .updateTable('artifact_assembly')
    .set({ ...change, updated_ms: nowMs })
    .where('org_id', '=', org_id)
    .where('checksum', '=', checksum)
    .where('target', '=', target)
    .execute()
}

async function readUpload(records: Records, key: UploadKey): Promise<Upload> {
  const { org_id, checksum, target } = rowOf(key)
  const row = await records
    .selectFrom('artifact_assembly')
    .select(['chunks', 'actor'])
    .where('org_id', '=', org_id)
    .where('checksum', '=', checksum)
    .where('target', '=', target)
    .executeTakeFirst()
  if (!row)
    throw new SondeError('unavailable', 'the upload was given up: upload again', {
      operation: 'put an upload together',
    })
  return { ...key, chunks: JSON.parse(row.chunks) as string[], actor: row.actor }
}

async function unfinished(records: Records): Promise<UploadKey[]> {
  const rows = await records
    .selectFrom('artifact_assembly')
    .select(['org_id', 'checksum', 'target'])
    .where('state', 'in', ['created', 'assembling'])
    .orderBy('updated_ms')
    .execute()
  return rows.map((row) => ({
    orgId: row.org_id,
    checksum: row.checksum,
    target: JSON.parse(row.target) as AssemblyTarget,
  }))
}
