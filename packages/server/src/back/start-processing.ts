/** The pipeline as this configuration has it: all of an embedded log, or the share of this process. */
import { pathToFileURL } from 'node:url'
import type { LogReaders } from '@sonde/log'
import {
  DEFAULT_PROCESSING_SETTINGS,
  type Pipeline,
  type PipelineOptions,
  startPipeline,
  startSharedPipeline,
} from '@sonde/pipeline'
import type { Config } from '../config/config.ts'
import type { ProgramFiles } from '../program-files.ts'

export async function startProcessing(
  engines: Pick<PipelineOptions, 'records' | 'telemetry' | 'blobs'>,
  log: LogReaders,
  {
    config: { newcomers, attachmentQuotaBytes, retentionDays },
    files,
    ...needs
  }: Pick<PipelineOptions, 'clock' | 'logger' | 'metrics' | 'tracer' | 'onCommit'> & {
    readonly config: Config
    readonly files: ProgramFiles
  },
): Promise<Pipeline> {
  const { records, telemetry, blobs } = engines
  const options = {
    ...needs,
    records,
    telemetry,
    blobs,
    newcomers,
    attachmentQuotaBytes,
    workers: {
      entry: pathToFileURL(files.processingWorker),
      settings: { ...DEFAULT_PROCESSING_SETTINGS, retentionDays },
    },
  }
  const [only] = log.readers
  const { shardWeights: shards = [1] } = telemetry
  await log.placeBy?.(shards)
  return log.isShared || !only
    ? startSharedPipeline({ ...options, logs: log, shards: shards.length })
    : await startPipeline({ ...options, log: only })
}
