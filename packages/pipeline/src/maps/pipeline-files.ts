/** What worker threads may know of uploaded files, made from the stores. */
import { type Clock, type Logger, SondeError } from '@sonde/base'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import {
  type Blobs,
  findByDebugId,
  findByUrl,
  findDebugFile,
  findRelease,
  findSource,
  type FoundFile,
  markBundlesUsed,
  readArtifact,
  readVersion,
  type Records,
} from '@sonde/stores'
import type { PoolFiles } from '../process/worker-pool.ts'
import type { FileAnswer, FileRequest, FileBytes, FileSource } from './file-requests.ts'

type Needs = {
  readonly records: Records
  readonly blobs: Pick<Blobs, 'get'>
  readonly clock: Clock
  readonly logger: Logger
}

const DAY_MS = 86_400_000

export function pipelineFiles({ records, blobs, clock, logger }: Needs): PoolFiles {
  const dayOf = (ms: number): number => Math.floor(ms / DAY_MS)
  let day = Number.NaN
  let marked = new Set<number>()

  const mark = async (bundleIds: readonly number[]): Promise<void> => {
    const nowMs = clock.nowMs()
    if (dayOf(nowMs) !== day) marked = new Set()
    day = dayOf(nowMs)
    const unmarked = bundleIds.filter((id) => !marked.has(id))
    for (const id of unmarked) marked.add(id)
    try {
      await markBundlesUsed(records, unmarked, nowMs)
    } catch (error) {
      for (const id of unmarked) marked.delete(id)
      logger.warn({ err: error }, 'which uploads are in use was not noted; the next event tries again')
    }
  }

  return {
    source: createFileSource({ records, blobs, onUsed: (bundleIds) => void mark(bundleIds) }),
    // The day is part of it, so that what is used day after day is asked for once a day, and is noted as used.
    async version() {
      return `${await readVersion(records, 'artifacts')} ${dayOf(clock.nowMs())}`
    },
  }
}

/** The main thread's side: looks in the stores for what worker threads request. */
type SourceNeeds = {
  readonly records: Records
  readonly blobs: Pick<Blobs, 'get'>
  /** Bundles with which a frame can be read; again and again for the same. */
  readonly onUsed?: (bundleIds: readonly number[]) => void
}

/**
 * Measured: a map of 64 MiB is parsed in 0.7 s with less than 192 MiB of heap, half of what a thread has. What is larger is
 * refused: it must not end the thread that reads events.
 */
export const MAX_READ_BYTES = 64 * 1024 * 1024

function createFileSource({ records, blobs, onUsed }: SourceNeeds): FileSource {
  const orgIds = new Map<number, number>()
  const orgOf = async (projectId: number): Promise<number> => {
    const known = orgIds.get(projectId)
    if (known !== undefined) return known
    const project = await records
      .selectFrom('project')
      .select('org_id')
      .where('id', '=', projectId)
      .executeTakeFirst()
    // A project that is gone has no files; its events are counted and stored nowhere.
    if (!project) return 0
    orgIds.set(projectId, project.org_id)
    return project.org_id
  }

  const find = async (ask: FileRequest): Promise<FileAnswer> => {
    if (ask.kind === 'source')
      return (await findSource(records, { bundleId: ask.bundleId, url: ask.mapUrl }, ask.path)) ?? 'none'
    const orgId = await orgOf(ask.projectId)
    if (ask.kind === 'debug_id') return (await findByDebugId(records, orgId, ask.debugId)) ?? 'none'
    if (ask.kind === 'debug_file') return (await findDebugFile(records, orgId, ask.debugId)) ?? 'none'
    if (ask.kind === 'release') return await findRelease(records, orgId, ask)
    return await findByUrl(records, orgId, ask, ask.url)
  }

  return {
    async answer(requests) {
      const answers: FileAnswer[] = []
      for (const ask of requests) answers.push(await find(ask))
      const used = answers.flatMap((answer) =>
        answer !== 'none' && 'map' in answer
          ? [answer.map.bundleId, ...(answer.script ? [answer.script.bundleId] : [])]
          : answer !== 'none' && 'type' in answer
            ? [answer.bundleId]
            : [],
      )
      if (used.length > 0) onUsed?.([...new Set(used)])
      return answers
    },
    read: (file) => readBytes(blobs, file),
  }
}

async function readBytes(blobs: Pick<Blobs, 'get'>, file: FoundFile): Promise<FileBytes> {
  if (file.bytes > MAX_READ_BYTES)
    return refused('too_large', `it has ${mebibytes(file.bytes)}; ${mebibytes(MAX_READ_BYTES)} are read`)
  try {
    const bytes = await readArtifact(blobs, file)
    return bytes === undefined ? refused('broken_map', MISSING) : { ok: true, bytes }
  } catch (error) {
    // Damaged, and it will be so the next time: nothing to wait for.
    if (!(error instanceof SondeError) || error.kind !== 'internal') throw error
    return refused('broken_map', `${error.message}: upload it again`)
  }
}

const MISSING = 'its file is missing on the server, unless it was deleted just now: upload it again'
const refused = (problem: FrameProblem, detail: string): FileBytes => ({ ok: false, problem, detail })
const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`
