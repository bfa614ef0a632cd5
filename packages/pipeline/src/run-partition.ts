/** Reads one partition of the log, processes its records on the shared threads, commits in order. While one batch is committed the next is processed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, inScope, inSpan, type Logger, type Mutex, type Tracer } from '@sonde/base'
import type { LogReader, LogRecord } from '@sonde/log'
import { FIRST_PARTITION } from '@sonde/stores'
import { type Batch, createBatchQueue, freeBatch, type QueueMemory } from './commit/batch-queue.ts'
import { commitBatch, type CommitStores, type Committed, type Owned } from './commit/commit-batch.ts'
import { type Backoff, retry } from './commit/insert-rows.ts'
import { noteTry, readPosition } from './commit/pipeline-state.ts'
import { deadFromBytes } from './process/process-record.ts'
import {
  openSettingsHistory,
  type ProcessingSettings,
  type SettingsHistory,
} from './process/settings-history.ts'
import type { WorkerPool } from './process/worker-pool.ts'

/** What the partitions of a process have in common. */
export type PartitionNeeds = {
  readonly stores: Omit<CommitStores, 'log' | 'owned'>
  readonly clock: Clock
  readonly logger: Logger
  readonly pool: WorkerPool
  readonly settings: ProcessingSettings
  readonly memory: QueueMemory
  readonly tracer: Tracer
  /** One batch at a time. */
  readonly mutex: Mutex
  readonly onCommit: (committed: Committed, records: number, tookMs: number) => void
}

export type PartitionState = {
  readonly partition: number
  /** Everything before this position of the log is committed. */
  readonly position: number
  /** What lies before was read to be processed; from `position` on it is not committed yet. */
  readonly readTo: number
  /** Why nothing goes on at the moment, if so. */
  readonly trouble: Backoff | undefined
}

export type RunningPartition = {
  state(): PartitionState
  /** Finishes the batch in hand, leaves the rest to the next start. */
  stop(): Promise<void>
}

/**
 * One batch is two transactions, three inserts with their flushes, and parts that are merged later: large ones are
 * cheap per event, and bounded for memory's sake. Without the gap, 100 events a second cost 65 % of a core and 1,000
 * cost 88 %; with it (and the one below) 20 % and 39 %. Price: median visibility +100 ms.
 */
const BATCH = { maxRecords: 2000, maxBytes: 8 * 1024 * 1024, minGapMs: 200 }
/** What is processed at a time, so that the committer never waits for a whole batch. */
const READ = { maxRecords: 256, maxBytes: 2 * 1024 * 1024 }
// Reading 1 record costs as much as reading 50: pause 40 ms after a small read, continue at once after a full one. Several
// partitions read as often together as one alone, and still some times for each of their batches.
const READ_GAP_MS = 40
const LONGEST_READ_GAP_MS = 200
const readGapMs = (partitions: number): number => Math.min(LONGEST_READ_GAP_MS, READ_GAP_MS * partitions)
// A project is held for some tens of milliseconds.
const HELD_LOOK_MS = 20
/**
 * So many processes in a row that died with the same batch died of it: with the pauses of the back's supervisor that is some
 * forty seconds, longer than kills from outside meet the same batch.
 */
const MAX_TRIES = 10

/** Throws when its state cannot be read. `owned`: its signal ends the work, too. */
export async function startPartition(
  needs: PartitionNeeds,
  log: LogReader,
  owned?: Owned & { readonly signal: AbortSignal },
): Promise<RunningPartition> {
  const { stores, clock, logger, pool, mutex, memory, tracer } = needs
  const { records } = stores
  const stopping = new AbortController()
  const signal = owned ? AbortSignal.any([owned.signal, stopping.signal]) : stopping.signal
  const { partition = FIRST_PARTITION } = log
  const start = await readPosition(records, partition, await log.committed())
  const base = { ...needs.settings, logPartition: partition }
  const fence = owned && { fence: owned.fence }
  const history = await openSettingsHistory({ records, clock, base, ...fence }, start)
  const processing: Processing = { pool, history }
  const state = { partition, position: start.position, readTo: start.position }
  let trouble: Backoff | undefined
  const trying = { clock, logger, signal, onTrouble: (now: Backoff | undefined) => (trouble = now) }
  const commitStores: CommitStores = { ...stores, log, ...(owned && { owned }) }

  const commit = async (batch: Batch): Promise<void> => {
    const beganMs = performance.now()
    // What has to be tried again does not hold up the other partitions.
    const attempt = async (): Promise<Committed | undefined> => {
      while (!signal.aborted) {
        const committed = await mutex.run(() => commitBatch(commitStores, batch))
        if (committed !== 'held') return committed
        await sleep(HELD_LOOK_MS, undefined, { signal }).catch(() => undefined)
      }
      return undefined
    }
    const span = tracer.root({
      name: 'commit a batch',
      kind: 'consumer',
      attributes: { 'sonde.partition': partition, 'sonde.records': batch.entries.length },
    })
    const committed = await inSpan(span, () => retry('commit a batch', attempt, trying))
    if (!committed) return
    state.position = batch.to
    needs.onCommit(committed, batch.entries.length, performance.now() - beganMs)
    freeBatch(log, batch)
  }

  const run = async (): Promise<void> => {
    if (start.inflight) {
      const { from, to } = start.inflight
      state.readTo = to
      const tries = await retry('count a try', () => noteTry(records, partition), trying)
      const isGivenUp = (tries ?? 0) > MAX_TRIES
      if (isGivenUp)
        logger.error(
          { from, to, tries },
          'a batch ended every process that took it; its records are dead letters',
        )
      const process = isGivenUp ? setAside : (read: readonly LogRecord[]) => processAll(processing, read)
      const batch = await retry('repeat a batch', () => readBatch(log, process, { from, to }, signal), trying)
      if (!batch || signal.aborted) return
      await commit(batch)
    } else await retry('mark the log as read', () => log.commit(state.position), trying)
    const queue = createBatchQueue({ ...BATCH, partition, together: memory })
    signal.addEventListener('abort', () => queue.close())
    if (signal.aborted) queue.close()
    await Promise.all([fill(queue, state.position), drain(queue)])
  }

  const fill = async (queue: ReturnType<typeof createBatchQueue>, from: number): Promise<void> => {
    let position = from
    while (!signal.aborted) {
      await queue.room()
      const read = await retry('read the log', () => log.read(position, READ, signal), trying)
      if (!read || read.length === 0) continue
      const changed = () => history.refresh(position, state.position)
      await retry('read the settings of projects', changed, trying)
      if (signal.aborted) return
      state.readTo = read.at(-1)?.next ?? position
      const span = tracer.root({
        name: 'process records',
        kind: 'consumer',
        attributes: { 'sonde.partition': partition, 'sonde.records': read.length },
      })
      const processed = await inSpan(span, () =>
        retry('process records', () => processAll(processing, read), trying),
      )
      if (!processed) continue
      queue.push(processed)
      position = read.at(-1)?.next ?? position
      if (read.length < READ.maxRecords / 2)
        await sleep(readGapMs(memory.queues), undefined, { signal }).catch(() => undefined)
    }
  }

  const drain = async (queue: ReturnType<typeof createBatchQueue>): Promise<void> => {
    for (;;) {
      const batch = await queue.take(state.position)
      if (!batch) return
      await commit(batch)
    }
  }

  const running = inScope({ origin: 'pipeline' }, run).catch((error: unknown) => {
    logger.fatal({ err: error, partition }, 'the pipeline ended')
    trouble = { operation: 'run the pipeline', message: String(error), sinceMs: clock.nowMs(), attempts: 1 }
  })
  return {
    state: () => ({ ...state, trouble }),
    async stop() {
      stopping.abort()
      await running
    },
  }
}

type Processing = { readonly pool: WorkerPool; readonly history: SettingsHistory }

/** Exactly the records of `[from, to)`; fewer only where the log lost some. */
async function readBatch(
  log: LogReader,
  process: (records: readonly LogRecord[]) => Promise<Batch['entries']>,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<Batch> {
  const records: LogRecord[] = []
  for (let at = from; at < to;) {
    const more = await log.read(at, { ...READ, to }, signal)
    if (more.length === 0) break
    records.push(...more)
    at = more.at(-1)?.next ?? to
  }
  const { partition = FIRST_PARTITION } = log
  return { partition, from, to, entries: await process(records) }
}

const DIED = new Error('the process ended each time while it stored the batch with this record')

/**
 * All of the batch, since nobody lived to say which record it was. They are kept, and `sonde dead replay` gives them back one
 * by one; what an earlier try had stored already is a duplicate then.
 */
async function setAside(records: readonly LogRecord[]): Promise<Batch['entries']> {
  return records.map((record) => {
    const { position, next, bytes } = record
    const dead = [deadFromBytes(bytes, 'digest_crash', DIED)]
    return {
      record,
      processed: { position, next, events: [], rows: [], attachments: [], outcomes: [], dead },
    }
  })
}

async function processAll(
  { pool, history }: Processing,
  records: readonly LogRecord[],
): Promise<Batch['entries']> {
  const runs = history.runs(records).map((run) => pool.process(run.records, run.settings))
  const processed = (await Promise.all(runs)).flat()
  return records.flatMap((record, at) => {
    const own = processed[at]
    return own ? [{ record, processed: own }] : []
  })
}
