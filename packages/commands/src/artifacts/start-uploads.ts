/**
 * Assembles uploads in the background, one after the other, so that only one at a time uses memory and disk. What a stop
 * interrupts begins anew with the next start, or on another node.
 */
import { type Bus, type Logger, SondeError, UnavailableError, type Tracer } from '@sonde/base'
import { type Job, startJob } from '@sonde/jobs'
import { type AssemblyTarget, BundleError, type Records } from '@sonde/stores'
import { assembleUpload, type Upload, type UploadStores } from './assemble-upload.ts'
import { createMapInspector } from './inspect/map-inspector.ts'
import { readAssembly, rowOf, sameUpload, type UploadKey } from './upload-key.ts'

export type UploadsOptions = Omit<UploadStores, 'maps'> & {
  readonly logger: Logger
  readonly bus?: Bus
  readonly tracer?: Tracer
  /** Called when files of an upload can be used. */
  readonly onArtifacts?: () => void
  /** False: uploads are only waited for; another process assembles them. */
  readonly assembles?: boolean
  /** The bundle's file of the thread that looks at maps; by default the source. */
  readonly inspectorEntry?: URL
}

/** `quotaBytes` and the rest: for files that come one by one. */
export type Uploads = UploadStores & {
  /**
   * Of an upload that has a row in `artifact_assembly`: resolves when it is stored, whichever node stores it. Called twice,
   * it is stored once. Rejects with `SondeError`: `invalid` with a text for the uploader, or `unavailable`.
   */
  finish(key: UploadKey): Promise<void>
  stop(): Promise<void>
}

const JOB = 'uploads'

type Waiting = PromiseWithResolvers<void> & { readonly key: UploadKey }

// Only the command line on this machine and other nodes leave uploads without a wake-up.
const LOOK_EVERY_MS = 60_000
// Another node may store what was uploaded here: its end is in the records.
const LOOK_AT_ENDS_MS = 1_000

/** Takes up what the last run left. */
export function startUploads(options: UploadsOptions): Uploads {
  const { records, clock, logger, bus, assembles = true } = options
  const maps = createMapInspector(options.inspectorEntry)
  const stores: UploadStores = { ...options, maps }
  const waiting = new Map<string, Waiting>()
  let isStopped = false

  const settle = (key: UploadKey, error?: SondeError): void => {
    const name = sameUpload(key)
    const found = waiting.get(name)
    waiting.delete(name)
    if (error) found?.reject(error)
    else found?.resolve()
  }

  const fail = async (key: UploadKey, error: unknown): Promise<void> => {
    const explained = explain(error)
    const { checksum, orgId } = key
    if (explained.kind === 'invalid')
      logger.info({ checksum, why: explained.message }, 'an upload was refused')
    else logger.error({ err: error, checksum, orgId }, 'an upload could not be stored')
    const can_retry = error instanceof BundleError ? 0 : 1
    await setState(records, key, { state: 'error', detail: explained.message, can_retry }, clock.nowMs())
    settle(key, explained)
  }

  const assemble = async (key: UploadKey, signal: AbortSignal): Promise<void> => {
    try {
      const upload = await readUpload(records, key)
      await setState(records, key, { state: 'assembling' }, clock.nowMs())
      await assembleUpload(stores, upload, signal)
    } catch (error) {
      // Left as it is, it goes on with the next start or on another node.
      if (!signal.aborted) await fail(key, error)
      return
    }
    settle(key)
    options.onArtifacts?.()
  }

  const work: Job = {
    name: JOB,
    lookEveryMs: LOOK_EVERY_MS,
    hasWork: async () => (await unfinished(records)) !== undefined,
    async run(signal) {
      while (!signal.aborted) {
        const key = await unfinished(records)
        if (!key) break
        await assemble(key, signal)
      }
      return 'done'
    },
  }
  const job = assembles ? startJob(options, work) : undefined

  const lookAtEnds = async (): Promise<void> => {
    for (const { key } of waiting.values()) {
      const row = await readAssembly(records, key)
      if (row?.state === 'ok') settle(key)
      else if (row?.state === 'error')
        settle(key, new SondeError('invalid', row.detail, { operation: OPERATION }))
      else if (!row) settle(key, givenUp())
    }
  }
  let looking: NodeJS.Timeout | undefined
  const endLooking = (): void => {
    clearInterval(looking)
    looking = undefined
  }
  /** While somebody waits. */
  const beginLooking = (): void => {
    looking ??= setInterval(() => {
      if (waiting.size === 0) endLooking()
      else
        lookAtEnds().catch((error: unknown) => logger.warn({ err: error }, 'uploads could not be looked at'))
    }, LOOK_AT_ENDS_MS).unref()
  }

  return {
    ...stores,
    finish(key) {
      if (isStopped) return Promise.reject(explain(new Error('Sonde stops')))
      const name = sameUpload(key)
      const known = waiting.get(name)
      if (known) return known.promise
      const added = { ...Promise.withResolvers<void>(), key }
      waiting.set(name, added)
      beginLooking()
      if (job) job.wake()
      else bus?.publish('job.wake', { job: JOB })
      return added.promise
    },
    async stop() {
      isStopped = true
      endLooking()
      await job?.stop()
      for (const { key } of waiting.values()) settle(key, explain(new Error('Sonde stops')))
      await maps.close()
    },
  }
}

const OPERATION = 'assemble an upload'

const givenUp = () =>
  new SondeError('unavailable', 'the upload was given up: upload again', { operation: OPERATION })

function explain(error: unknown): SondeError {
  const operation = OPERATION
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
  if (!row) throw givenUp()
  return { ...key, chunks: JSON.parse(row.chunks) as string[], actor: row.actor }
}

/** The one that waits longest. */
async function unfinished(records: Records): Promise<UploadKey | undefined> {
  const row = await records
    .selectFrom('artifact_assembly')
    .select(['org_id', 'checksum', 'target'])
    .where('state', 'in', ['created', 'assembling'])
    .orderBy('updated_ms')
    .executeTakeFirst()
  return (
    row && { orgId: row.org_id, checksum: row.checksum, target: JSON.parse(row.target) as AssemblyTarget }
  )
}
