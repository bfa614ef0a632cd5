/** Reads the log, processes records on worker threads, commits in order. While one batch is committed the next is processed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, createMutex, type Logger, type Metrics, type Mutex } from '@sonde/base'
import type { LogReader, LogRecord } from '@sonde/log'
import type { ResolvePositions } from '@sonde/protocol/code-position'
import { type Blobs, FIRST_PARTITION, type NewcomerLimits, type Records, type Telemetry } from '@sonde/stores'
import { type Batch, createBatchQueue } from './commit/batch-queue.ts'
import { commitBatch, type CommitStep, type Committed } from './commit/commit-batch.ts'
import { retry, type Backoff } from './commit/insert-rows.ts'
import { readPosition } from './commit/pipeline-state.ts'
import { pipelineFiles } from './maps/pipeline-files.ts'
import {
  DEFAULT_PROCESSING_SETTINGS,
  openSettingsHistory,
  type SettingsHistory,
} from './process/settings-history.ts'
import { type WorkerPool, startWorkerPool, type WorkerOptions } from './process/worker-pool.ts'
import type { StageTimes } from './stage-runner.ts'
import type { Reprocessed, StoredEvent } from './symbolicate/reprocess-event.ts'

export type PipelineOptions = {
  readonly log: LogReader
  readonly records: Records
  readonly telemetry: Telemetry
  readonly blobs: Blobs
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
  readonly workers?: Partial<WorkerOptions>
  /** How many issues and releases a project may make anew in a minute. Default: any number. */
  readonly newcomers?: NewcomerLimits
  /** What the attachments of one organization may take on the disk. Default: anything. */
  readonly attachmentQuotaBytes?: number
  /** After each batch, once it can be queried. */
  readonly onCommit?: (committed: Committed) => void
  /** Only tests of crashes need it. */
  readonly afterStep?: (step: CommitStep) => void | Promise<void>
}

export type Pipeline = {
  /** Places in scripts, led back to their sources by the same files and threads as frames. */
  readonly resolvePositions: ResolvePositions
  /** Stored events, read again with the files that are there now; in their order. Rejects while stores are unavailable. */
  reprocess(events: readonly StoredEvent[]): Promise<readonly Reprocessed[]>
  /** Finishes the batch in hand, leaves the rest to the next start. */
  stop(): Promise<void>
  state(): PipelineState
  /** Runs a job between two batches: no event has an issue yet and is not counted. Undefined once `signal` ended it. */
  readonly between: Mutex['run']
}

export type PipelineState = {
  /** Of the log. */
  readonly partition: number
  /** Everything before this position of the log is committed. */
  readonly position: number
  /** What lies before was read to be processed; from `position` on it is not committed yet. */
  readonly readTo: number
  readonly records: number
  readonly events: number
  readonly duplicates: number
  readonly dead: number
  readonly lastCommitMs: number | undefined
  /** Why nothing goes on at the moment, if so. */
  readonly trouble: Backoff | undefined
  readonly processingFailures: number
}

/**
 * One batch is two transactions, three inserts with their flushes, and parts that are merged later: large ones are
 * cheap per event, and bounded for memory's sake. Without the gap, 100 events a second cost 65 % of a core and 1,000
 * cost 88 %; with it (and the one below) 20 % and 39 %. Price: median visibility +100 ms.
 */
const BATCH = { maxRecords: 2000, maxBytes: 8 * 1024 * 1024, minGapMs: 200 }
/** What is processed at a time, so that the committer never waits for a whole batch. */
const READ = { maxRecords: 256, maxBytes: 2 * 1024 * 1024 }
// Reading 1 record costs as much as reading 50: pause 40 ms after a small read, continue at once after a full one.
const READ_GAP_MS = 40

export async function startPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { log, records, clock, logger } = options
  const metrics = createPipelineMetrics(options.metrics)
  const files = pipelineFiles(options)
  const pool = startWorkerPool(options.workers ?? {}, { logger, onTimes: metrics.stageTimes, files })
  const stopping = new AbortController()
  const { signal } = stopping
  const { partition = FIRST_PARTITION } = log
  const start = await readPosition(records, partition, await log.committed())
  const base = { ...(options.workers?.settings ?? DEFAULT_PROCESSING_SETTINGS), logPartition: partition }
  const history = await openSettingsHistory({ records, clock, base }, start)
  const processing: Processing = { pool, history }
  const { position: startedAt } = start
  const state = {
    partition,
    position: startedAt,
    readTo: startedAt,
    records: 0,
    events: 0,
    duplicates: 0,
    dead: 0,
  }
  const mutex = createMutex()
  let lastCommitMs: number | undefined
  let trouble: Backoff | undefined
  const trying = { clock, logger, signal, onTrouble: (now: Backoff | undefined) => (trouble = now) }

  const commit = async (batch: Batch): Promise<void> => {
    const beganMs = performance.now()
    const committed = await mutex.run(() =>
      retry('commit a batch', () => commitBatch(options, batch), trying),
    )
    if (!committed) return
    lastCommitMs = clock.nowMs()
    state.position = batch.to
    state.records += batch.entries.length
    state.events += committed.events
    state.duplicates += committed.duplicates
    state.dead += committed.dead
    metrics.committed(committed, batch.entries.length, performance.now() - beganMs)
    try {
      options.onCommit?.(committed)
    } catch (error) {
      logger.error({ err: error }, 'a listener of commits failed')
    }
  }

  const run = async (): Promise<void> => {
    if (start.inflight) {
      const { from, to } = start.inflight
      state.readTo = to
      const batch = await retry('repeat a batch', () => readBatch(log, processing, from, to, signal), trying)
      if (!batch || signal.aborted) return
      await commit(batch)
    } else await retry('mark the log as read', () => log.commit(state.position), trying)
    const queue = createBatchQueue({ ...BATCH, partition })
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
      const processed = await retry('process records', () => processAll(processing, read), trying)
      if (!processed) continue
      queue.push(processed)
      position = read.at(-1)?.next ?? position
      if (read.length < READ.maxRecords / 2)
        await sleep(READ_GAP_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  const drain = async (queue: ReturnType<typeof createBatchQueue>): Promise<void> => {
    for (;;) {
      const batch = await queue.take(state.position)
      if (!batch) return
      await commit(batch)
    }
  }

  const running = run().catch((error: unknown) => {
    logger.fatal({ err: error }, 'the pipeline ended')
    trouble = { operation: 'run the pipeline', message: String(error), sinceMs: clock.nowMs(), attempts: 1 }
  })
  return {
    async stop() {
      stopping.abort()
      await running
      await pool.close()
    },
    resolvePositions: (positions) => pool.resolve(positions),
    reprocess: (events) => pool.reprocess(events),
    state: () => ({ ...state, lastCommitMs, trouble, processingFailures: pool.failures() }),
    between: mutex.run,
  }
}

type Processing = { readonly pool: WorkerPool; readonly history: SettingsHistory }

/** Exactly the records of `[from, to)`; fewer only where the log lost some. */
async function readBatch(
  log: LogReader,
  processing: Processing,
  from: number,
  to: number,
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
  return { partition, from, to, entries: await processAll(processing, records) }
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

/** What operators see of the pipeline. Names are stable: dashboards use them. */
type PipelineMetrics = {
  stageTimes(times: StageTimes): void
  committed(result: Committed, records: number, tookMs: number): void
}

const COMMIT_BUCKETS_SEC = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

function createPipelineMetrics(metrics: Metrics | undefined): PipelineMetrics {
  if (!metrics) return { stageTimes: () => undefined, committed: () => undefined }
  const stageSeconds = metrics.counter('sonde_pipeline_stage_seconds_total', 'Time spent in a stage', [
    'stage',
  ])
  const stageRuns = metrics.counter('sonde_pipeline_stage_runs_total', 'Items a stage has seen', ['stage'])
  const records = metrics.counter('sonde_pipeline_records_total', 'Log records committed')
  const events = metrics.counter('sonde_pipeline_events_total', 'Events by how they ended', ['end'])
  const commitSeconds = metrics.histogram(
    'sonde_pipeline_commit_seconds',
    'Time to commit a batch',
    COMMIT_BUCKETS_SEC,
  )
  return {
    stageTimes(times) {
      for (const [stage, { ms, runs }] of times) {
        stageSeconds.inc({ stage }, ms / 1000)
        stageRuns.inc({ stage }, runs)
      }
    },
    committed(result, count, tookMs) {
      records.inc(count)
      events.inc({ end: 'stored' }, result.events)
      events.inc({ end: 'duplicate' }, result.duplicates)
      events.inc({ end: 'dead' }, result.dead)
      commitSeconds.observe(tookMs / 1000)
    },
  }
}
