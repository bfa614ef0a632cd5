/** The pipeline of a process: threads that process records, and the partitions of the log whose records they get. */
import { type Clock, createMutex, type Logger, type Metrics, noTracer, type Tracer } from '@sonde/base'
import { shareLeases, type SharedLeasesOptions } from '@sonde/jobs'
import type { LogReader, LogReaders } from '@sonde/log'
import type { ResolvePositions } from '@sonde/protocol/code-position'
import {
  type Blobs,
  FIRST_PARTITION,
  type LogPositions,
  type NewcomerLimits,
  readProjectSettings,
  type Records,
  type Telemetry,
} from '@sonde/stores'
import { queueMemory } from './commit/batch-queue.ts'
import { type CommitStep, type Committed } from './commit/commit-batch.ts'
import type { Backoff } from './commit/insert-rows.ts'
import { pipelineFiles } from './maps/pipeline-files.ts'
import { DEFAULT_PROCESSING_SETTINGS } from './process/settings-history.ts'
import { startWorkerPool, type WorkerOptions } from './process/worker-pool.ts'
import {
  type PartitionNeeds,
  type PartitionState,
  type RunningPartition,
  startPartition,
} from './run-partition.ts'
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
  readonly tracer?: Tracer
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
  /** Of every partition: what lies before may have been read to be processed, here or in another process. */
  readTo(): Promise<LogPositions>
}

export type PipelineState = {
  /** Those that this process works on. */
  readonly partitions: readonly PartitionState[]
  readonly records: number
  readonly events: number
  readonly duplicates: number
  readonly dead: number
  readonly lastCommitMs: number | undefined
  /** Why nothing goes on at the moment, if so. */
  readonly trouble: Backoff | undefined
  readonly processingFailures: number
}

/** The one partition of an embedded log. Throws when its state cannot be read. */
export async function startPipeline(options: PipelineOptions): Promise<Pipeline> {
  const shared = openShared(options)
  const partition = await startPartition(shared.needsOf(FIRST_PARTITION), options.log)
  const running = (): readonly RunningPartition[] => [partition]
  return shared.pipeline({ running, stop: () => partition.stop(), elsewhere: async () => ({}) })
}

/** Its share of the partitions, by lease: each is worked on by one process, and another takes it over when that dies. */
export function startSharedPipeline(
  options: Omit<PipelineOptions, 'log'> & {
    readonly logs: LogReaders
    /** Of telemetry: partitions whose numbers leave the same rest are of one. Default: 1. */
    readonly shards?: number
  } & Pick<SharedLeasesOptions, 'leaseMs' | 'lookMs'>,
): Pipeline {
  const { logs, records, clock, logger } = options
  const shared = openShared(options, options.shards)
  const byName = new Map(logs.readers.map((reader) => [String(reader.partition ?? FIRST_PARTITION), reader]))
  const running = new Map<string, RunningPartition>()
  const leases = shareLeases({
    records,
    clock,
    logger,
    ...(options.leaseMs !== undefined && { leaseMs: options.leaseMs }),
    ...(options.lookMs !== undefined && { lookMs: options.lookMs }),
    group: 'log partition',
    names: [...byName.keys()],
    async run(name, held) {
      const reader = byName.get(name)
      if (!reader || held.signal.aborted) return
      const partition = await startPartition(shared.needsOf(Number(name)), reader, held)
      running.set(name, partition)
      logger.info({ partition: name }, 'this process works on a partition of the log')
      await new Promise((resolve) => {
        held.signal.addEventListener('abort', resolve)
        if (held.signal.aborted) resolve(undefined)
      })
      await partition.stop()
      running.delete(name)
    },
  })
  return shared.pipeline({
    running: () => [...running.values()],
    stop: () => leases.stop(),
    // Whoever has the others may have read to their end.
    async elsewhere() {
      const ends = [...byName].map(async ([name, reader]) => {
        // Without a record all of it is committed. The end of one that never had any is a position that nobody commits.
        if (running.has(name) || (await reader.depth()).oldestMs === undefined) return []
        return [[name, await logs.end(Number(name))] as const]
      })
      return Object.fromEntries((await Promise.all(ends)).flat())
    },
  })
}

/** One read for each list: rules as they are now, one object for all events of a project. */
async function withSettings(
  records: Records,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[]> {
  const projectIds = [...new Set(events.map(({ projectId }) => projectId))]
  if (projectIds.length === 0) return events
  const rows = await records
    .selectFrom('project_setting')
    .select(['project_id', 'value'])
    .where('project_id', 'in', projectIds)
    .execute()
  const byProject = new Map(rows.map((row) => [row.project_id, readProjectSettings(row.value)]))
  return events.map((event) => {
    const settings = byProject.get(event.projectId)
    return settings ? { ...event, grouping: settings.grouping, scrub: settings.scrub } : event
  })
}

type Running = {
  readonly running: () => readonly RunningPartition[]
  readonly stop: () => Promise<void>
  /** How far the partitions of other processes may have been read. */
  readonly elsewhere: () => Promise<LogPositions>
}

/**
 * What the partitions of a process have in common: threads and counts; those of one shard of telemetry memory and one commit
 * at a time, besides, so that a shard that does not answer holds up nobody else.
 */
function openShared(options: Omit<PipelineOptions, 'log'>, shards = 1) {
  const { clock, logger } = options
  const metrics = createPipelineMetrics(options.metrics)
  const files = pipelineFiles(options)
  const pool = startWorkerPool(options.workers ?? {}, { logger, onTimes: metrics.stageTimes, files })
  const lanes = Array.from({ length: shards }, () => ({ mutex: createMutex(), memory: queueMemory() }))
  const totals = { records: 0, events: 0, duplicates: 0, dead: 0 }
  let lastCommitMs: number | undefined

  const onCommit = (committed: Committed, records: number, tookMs: number): void => {
    lastCommitMs = clock.nowMs()
    totals.records += records
    totals.events += committed.events
    totals.duplicates += committed.duplicates
    totals.dead += committed.dead
    metrics.committed(committed, records, tookMs)
    try {
      options.onCommit?.(committed)
    } catch (error) {
      logger.error({ err: error }, 'a listener of commits failed')
    }
  }
  const needs = {
    stores: options,
    clock,
    logger,
    tracer: options.tracer ?? noTracer,
    pool,
    settings: options.workers?.settings ?? DEFAULT_PROCESSING_SETTINGS,
    onCommit,
  }
  const needsOf = (partition: number): PartitionNeeds => ({
    ...needs,
    ...(lanes[partition % shards] as (typeof lanes)[number]),
  })
  const pipeline = ({ running, stop, elsewhere }: Running): Pipeline => ({
    async stop() {
      await stop()
      await pool.close()
    },
    resolvePositions: (positions) => pool.resolve(positions),
    reprocess: async (events) => pool.reprocess(await withSettings(options.records, events)),
    state() {
      const partitions = running().map((each) => each.state())
      const trouble = partitions.find((each) => each.trouble)?.trouble
      return { ...totals, partitions, lastCommitMs, trouble, processingFailures: pool.failures() }
    },
    async readTo() {
      // First the others: one that comes here meanwhile is in both.
      const others = await elsewhere()
      const own = running().map((each) => each.state())
      return { ...others, ...Object.fromEntries(own.map(({ partition, readTo }) => [partition, readTo])) }
    },
  })
  return { needsOf, pipeline }
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
