/** Processes records on worker threads. A record that kills or hangs its thread is found and becomes a dead letter. */
import { availableParallelism } from 'node:os'
import { type Logger, SondeError } from '@sonde/base'
import type { LogRecord } from '@sonde/log'
import type { CodePosition, SourcePosition } from '@sonde/protocol/code-position'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import type { FoundFile } from '@sonde/stores'
import type { FileSource } from '../maps/file-requests.ts'
import { MAP_CACHE_BYTES } from '../maps/thread-files.ts'
import type { StageTimes } from '../stage-runner.ts'
import type { Reprocessed, StoredEvent } from '../symbolicate/reprocess-event.ts'
import { cutChunks } from './chunk.ts'
import type { Work, WorkDone } from './jobs.ts'
import { deadFromBytes } from './process-record.ts'
import type { ProcessedRecord } from './processed.ts'
import { DEFAULT_PROCESSING_SETTINGS, type ProcessingSettings } from './settings-history.ts'
import {
  createWorkerThread,
  inlineRunner,
  type ThreadFailure,
  type ThreadResult,
  type WorkerThread,
} from './worker-thread.ts'

export type WorkerOptions = {
  /** 0: on the caller's own thread (tests, tiny machines). */
  readonly threads: number
  /** The bundle's worker file; by default the source beside this file. */
  readonly entry: URL
  readonly recordTimeoutMs: number
  readonly settings: ProcessingSettings
  /** What each thread may keep of parsed maps. */
  readonly mapCacheBytes: number
  /** A thread that needs more ends alone, without the process. The numbers of parsed maps are not counted. */
  readonly maxHeapMib: number
  readonly idleMs: number
}

/** Each resolves to one result per item, in their order; rejects when stores or threads are unavailable: retry. */
export type WorkerPool = {
  /** `settings`: by default those of the options. */
  process(records: readonly LogRecord[], settings?: ProcessingSettings): Promise<ProcessedRecord[]>
  reprocess(events: readonly StoredEvent[]): Promise<Reprocessed[]>
  resolve(positions: readonly CodePosition[]): Promise<SourcePosition[]>
  /** Threads that died or hung since the start. */
  failures(): number
  close(): Promise<void>
}

export type PoolFiles = {
  readonly source: FileSource
  /** Another text once a file came or went, and every day. */
  version(): Promise<string>
}
type PoolNeeds = {
  readonly logger: Logger
  readonly onTimes?: (times: StageTimes) => void
  /** Undefined: frames stay as they came. */
  readonly files?: PoolFiles
}

/** One core is left to the committer, the store and the log. */
const defaultThreads = (): number => Math.max(1, availableParallelism() - 1)
// An event takes well under a millisecond; five seconds is an endless loop on any machine.
const RECORD_TIMEOUT_MS = 5000
// An event has at most 1 MiB. Measured for a map of `MAX_READ_BYTES`: 192 MiB are enough to parse it; the texts of what is
// in the cache come on top.
const MAX_HEAP_MIB = 384
// Of 25 MB, against a tenth of a second of the processor when the next record comes.
const IDLE_MS = 5 * 60_000
const MAX_ITEMS = 64

type ItemOf<Kind extends Work['kind']> = Extract<Work, { readonly kind: Kind }>['items'][number]
type DoneOf<Kind extends Work['kind']> = WorkDone[Kind][number]

export function startWorkerPool(
  options: Partial<WorkerOptions>,
  { logger, onTimes, files }: PoolNeeds,
): WorkerPool {
  const {
    threads: size = defaultThreads(),
    entry = new URL('./worker.ts', import.meta.url),
    recordTimeoutMs = RECORD_TIMEOUT_MS,
    settings: base = DEFAULT_PROCESSING_SETTINGS,
    mapCacheBytes = MAP_CACHE_BYTES,
    maxHeapMib = MAX_HEAP_MIB,
    idleMs = IDLE_MS,
  } = options
  const quarantined = quarantineFiles(files?.source)
  const { source } = quarantined
  const all: WorkerThread[] =
    size === 0
      ? [inlineRunner(source, mapCacheBytes)]
      : Array.from({ length: size }, () =>
          createWorkerThread({ entry, recordTimeoutMs, mapCacheBytes, maxHeapMib, idleMs, source }),
        )
  const idle = [...all]
  const waiting: ((thread: WorkerThread) => void)[] = []
  let failures = 0

  const runOnThread = async (work: Work, version: string | undefined): Promise<ThreadResult> => {
    const thread =
      idle.pop() ??
      (await new Promise<WorkerThread>((resolve) => {
        // Somebody looks at a screen: a handful of positions does not wait behind a whole batch.
        if (work.kind === 'positions') waiting.unshift(resolve)
        else waiting.push(resolve)
      }))
    try {
      return await thread.run(work, version)
    } finally {
      const next = waiting.shift()
      if (next) next(thread)
      else idle.push(thread)
    }
  }

  const run = async <Kind extends Work['kind']>(
    items: readonly ItemOf<Kind>[],
    version: string | undefined,
    kind: WorkKind<Kind>,
  ): Promise<DoneOf<Kind>[]> => {
    if (items.length === 0) return []
    const result = await runOnThread(kind.work(items), version)
    if (result.ok) {
      onTimes?.(result.times)
      return [...result.done] as DoneOf<Kind>[]
    }
    if (result.reason === 'unavailable') throw result.error
    failures++
    const { begun, reason, error, file } = result
    if (file) {
      logger.error(
        { err: error, reason, url: file.url },
        'a worker thread did not come back from an uploaded file',
      )
      quarantined.add(file, result)
      return await run(items, version, kind)
    }
    const suspect = items[begun - 1]
    logger.error(
      { err: error, reason, item: suspect && kind.name(suspect) },
      'a worker thread did not come back',
    )
    if (suspect === undefined) throw cannotStart(entry, error)
    if (items.length === 1) return [kind.giveUp(suspect, result)]
    // Alone once more: memory that others used up must not be held against it.
    const before = await run(items.slice(0, begun - 1), version, kind)
    const alone = await run([suspect], version, kind)
    return [...before, ...alone, ...(await run(items.slice(begun), version, kind))]
  }

  const inChunks = async <Kind extends Work['kind']>(
    items: readonly ItemOf<Kind>[],
    kind: WorkKind<Kind>,
  ): Promise<DoneOf<Kind>[]> => {
    const version = await files?.version()
    const chunks = Array.from({ length: Math.ceil(items.length / MAX_ITEMS) }, (_, at) =>
      items.slice(at * MAX_ITEMS, (at + 1) * MAX_ITEMS),
    )
    return (await Promise.all(chunks.map((chunk) => run(chunk, version, kind)))).flat()
  }

  return {
    async process(records, settings = base) {
      const version = await files?.version()
      const kind = recordsKind(settings)
      const chunks = await Promise.all(cutChunks(records).map((chunk) => run(chunk, version, kind)))
      return chunks.flat()
    },
    reprocess: (events) => inChunks(events, STORED),
    resolve: (positions) => inChunks(positions, POSITIONS),
    failures: () => failures,
    async close() {
      await Promise.all(all.map((thread) => thread.close()))
    },
  }
}

/** How items of a kind are handed over, called in the log, and given up. */
type WorkKind<Kind extends Work['kind']> = {
  work(items: readonly ItemOf<Kind>[]): Work
  name(item: ItemOf<Kind>): string
  giveUp(item: ItemOf<Kind>, failure: ThreadFailure): DoneOf<Kind>
}

const recordsKind = (settings: ProcessingSettings): WorkKind<'records'> => ({
  work: (items) => ({ kind: 'records', items, settings }),
  name: ({ position }) => `record at ${position}`,
  giveUp: deadLetter,
})

const STORED: WorkKind<'stored'> = {
  work: (items) => ({ kind: 'stored', items }),
  name: ({ logPosition, itemIndex }) => `stored event of ${logPosition}, item ${itemIndex}`,
  giveUp: (_, { error }) => ({ ok: false, detail: error.message }),
}

const POSITIONS: WorkKind<'positions'> = {
  work: (items) => ({ kind: 'positions', items }),
  name: ({ url }) => `position in ${url}`,
  giveUp: (_, { error }) => ({ ok: false, problem: 'broken_map', detail: error.message }),
}

function deadLetter(record: LogRecord, failed: ThreadFailure): ProcessedRecord {
  const { position, next } = record
  return {
    position,
    next,
    events: [],
    rows: [],
    attachments: [],
    outcomes: [],
    dead: [deadFromBytes(record.bytes, failed.reason, failed.error)],
  }
}

function cannotStart(entry: URL, cause: Error): SondeError {
  return new SondeError('internal', `no worker thread can be started: ${cause.message}`, {
    operation: 'start a worker thread',
    subject: entry.href,
    cause,
    hint: 'the build misses its worker file, or the machine is out of memory or threads',
  })
}

/** Files that ended the thread that read them: they are not given to another, the events that need them are stored as they came. */
type Failure = { readonly reason: 'digest_timeout' | 'digest_crash'; readonly error: Error }
type QuarantinedFiles = {
  readonly source: FileSource | undefined
  add(file: FoundFile, failure: Failure): void
}

/** Once may have been the memory that other maps used up: a new thread has none of them. */
const TRIES = 2

function quarantineFiles(source: FileSource | undefined): QuarantinedFiles {
  const quarantined = new Map<string, Failure & { times: number }>()
  return {
    source: source && {
      answer: (requests) => source.answer(requests),
      async read(file) {
        const failure = quarantined.get(file.blob)
        if (!failure || failure.times < TRIES) return await source.read(file)
        const isMemory = failure.reason === 'digest_crash'
        const problem: FrameProblem = isMemory ? 'too_large' : 'broken_map'
        return { ok: false, problem, detail: `${file.url}: reading it failed (${failure.error.message})` }
      },
    },
    add(file, { reason, error }) {
      quarantined.set(file.blob, { reason, error, times: (quarantined.get(file.blob)?.times ?? 0) + 1 })
    },
  }
}
