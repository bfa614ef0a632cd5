/** What `sonde doctor` and the operator's page show of an app process. */
import { hostname } from 'node:os'
import { type Grant, openInstallation, operatorViewer } from '@sonde/access'
import type { Clock } from '@sonde/base'
import type { DeadLetters, Pipeline } from '@sonde/pipeline'
import type { Blobs, OpenRecords, Records, Telemetry } from '@sonde/stores'
import type { TlsWatch } from '../back/back-handler.ts'
import type { Config } from '../config/config.ts'
import { keepsDataOnDisk } from '../config/role-rules.ts'
import { dataDirPart } from '../data-dir.ts'
import type { LogControl } from '../internal/log-control.ts'
import type { SlowStatements } from '../observe/statements.ts'
import { backupsLine } from './backups-line.ts'
import { createDiskUsage, type DataPaths } from './disk-usage.ts'
import { examine } from './examine.ts'
import { lookAtWork } from './look-at-work.ts'
import { createOperatorStatus } from './operator-status.ts'
import { pipelinePart } from './parts.ts'
import { createProcessFigures } from './process-figures.ts'

export type Doctor = ReturnType<typeof startDoctor>

type DoctorParts = {
  readonly engines: {
    readonly opened: OpenRecords
    readonly records: Records
    readonly telemetry: Telemetry
    readonly blobs: Blobs
  }
  readonly tls: TlsWatch
  readonly dead: { readonly letters: DeadLetters }
  readonly logControl: LogControl
  /** Runs in this process. */
  readonly pipeline?: Pipeline | undefined
}

export function startDoctor(
  { engines, tls, dead, logControl, pipeline }: DoctorParts,
  config: Config,
  clock: Clock,
  slow: SlowStatements,
) {
  const { opened, records, telemetry, blobs } = engines
  const { attachmentQuotaBytes, freeShares, diskMarks, dataDir, engines: places } = config
  const parts = () => [
    { name: 'back', state: 'ok' as const, detail: 'running' },
    ...(pipeline ? [pipelinePart(pipeline.state(), clock)] : []),
    dataDirPart(dataDir),
    ...[tls.part() ?? []].flat(),
  ]
  const processes = createProcessFigures(
    () => [
      { name: 'front', pid: process.ppid },
      { name: 'back', pid: process.pid },
    ],
    clock,
  )
  const limits = {
    attachmentQuotaBytes,
    freeShares: keepsDataOnDisk(config) ? freeShares : undefined,
    diskMarks,
  }
  const own = { host: hostname(), pid: process.pid }
  const backups = backupsLine(config, { records, clock })
  const examined = {
    records,
    opened,
    telemetry,
    blobs,
    log: places.log,
    clock,
    processes,
    limits,
    own,
    backups,
  }
  const diskUsage = createDiskUsage(dataDir, keptOnDisk(places), clock)
  const { frontSocket } = config.paths
  const work = () => lookAtWork({ records, telemetry, slow, log: logControl, frontSocket })
  return {
    parts,
    /** What the engines occupy: of all organizations, so only operators may ask. */
    disk: (_grant: Grant<'operate', 'operator'>) => diskUsage(),
    operatorStatus: createOperatorStatus({ ...examined, parts, dead: dead.letters, diskUsage, work }),
    // Asked over the internal socket, which only the operator's own command line and the front can open.
    answer: async () => {
      const grant = openInstallation(operatorViewer)
      return JSON.stringify(await examine(grant, { ...examined, parts: parts(), disk: diskUsage }))
    },
  }
}

/** What of the engines lies in the data folder. */
const keptOnDisk = ({ log, telemetry, records, blobs }: Config['engines']): DataPaths => ({
  log: 'dir' in log ? log.dir : undefined,
  telemetry: 'dir' in telemetry ? telemetry.dir : undefined,
  records: 'file' in records ? records.file : undefined,
  blobs: 'dir' in blobs ? blobs.dir : undefined,
})
