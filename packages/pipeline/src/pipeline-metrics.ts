/** What operators see of the pipeline. Names are stable: dashboards use them. */
import type { Metrics } from '@sonde/base'
import type { Committed } from './commit/commit-batch.ts'
import type { StageTimes } from './stage-runner.ts'

export type PipelineMetrics = {
  stageTimes(times: StageTimes): void
  committed(result: Committed, records: number, tookMs: number): void
}

const COMMIT_BUCKETS_SEC = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createPipelineMetrics(metrics: Metrics | undefined): PipelineMetrics {
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
