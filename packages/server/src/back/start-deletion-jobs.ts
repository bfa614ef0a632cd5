/** The jobs that take data away: of deleted projects, what is too old, what rules do not keep, and what a full disk has no room for. */
import type { Access } from '@sonde/access'
import type { Bus, Clock, Logger, Tracer } from '@sonde/base'
import { startDeletions, startDiskWatch, startStorage } from '@sonde/commands'
import type { Config } from '../config/config.ts'
import { keepsDataOnDisk } from '../config/role-rules.ts'
import { diskSpaceOf } from '../doctor/disk-usage.ts'
import type { BackParts } from './back-parts.ts'

type Tools = {
  readonly config: Config
  readonly clock: Clock
  readonly logger: Logger
  readonly bus: Bus
  readonly tracer: Tracer
}

export function startDeletionJobs(
  engines: BackParts['engines'],
  { mailbox }: Pick<Access, 'mailbox'>,
  { config, ...tools }: Tools,
): { stop(): Promise<void> } {
  const { dataDir, diskMarks: marks, publicUrl } = config
  const { retentionDays, artifactRetentionDays, auditRetentionDays, replayRetentionDays } = config
  const days = { retentionDays, artifactRetentionDays, auditRetentionDays, replayRetentionDays }
  const shared = { ...engines, ...tools }
  const disk = keepsDataOnDisk(config) ? () => diskSpaceOf(dataDir) : undefined
  const holds = { telemetry: 'dir' in config.engines.telemetry, blobs: 'dir' in config.engines.blobs }
  const jobs = [
    startDeletions({ ...shared, ...days }),
    startStorage({ ...shared, disk }),
    ...(disk ? [startDiskWatch({ ...shared, disk, marks, holds, mailbox, publicUrl })] : []),
  ]
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}
