/** `sonde doctor`: asks the running Sonde; where none runs, opens its stores and looks itself. */
import { openInstallation, operatorViewer } from '@sonde/access'
import { createLogger, type Logger, systemClock } from '@sonde/base'
import { type CommandInput, print } from '@sonde/cli'
import { type Blobs, openEngines, runningNodes } from '@sonde/stores'
import { refuseUnfinishedRestore } from '../backup/restore-marker.ts'
import { type Config, readConfig } from '../config/config.ts'
import { keepsDataOnDisk } from '../config/role-rules.ts'
import { dataDirPart, openDataDir } from '../data-dir.ts'
import { backupsLine } from '../doctor/backups-line.ts'
import { certificatePart } from '../doctor/certificate-part.ts'
import { diskSpaceOf } from '../doctor/disk-usage.ts'
import { examine } from '../doctor/examine.ts'
import { damagedRecords, outerTroubles } from '../doctor/local-troubles.ts'
import { lookAtLog } from '../doctor/look-at-log.ts'
import { type DoctorReport, type PartReport, reportText, worstState } from '../doctor/report.ts'
import { withNext } from '../doctor/troubles.ts'
import { askBack } from '../internal/ask-back.ts'
import { refuseMoved } from '../move/move-file.ts'
import { VERSION } from '../version.ts'

export async function run({ flag }: CommandInput): Promise<number> {
  const config = readConfig()
  const answer = await askBack(config.paths.internalSocket, 'GET', '/-/doctor')
  const damage = 'file' in config.engines.records ? damagedRecords(config.engines.records.file) : undefined
  const seen =
    answer === undefined ? await lookAtStopped(config, damage) : (JSON.parse(answer) as DoctorReport)
  const report = withParts(seen, [
    ...(damage ? [damage] : []),
    ...(await outerTroubles({
      host: config.host,
      port: config.port,
      isStopped: seen.parts.some(({ state }) => state === 'stopped'),
      pids: seen.processes.map(({ pid }) => pid),
    })),
    ...[(await certificatePart(config.publicUrl, systemClock.nowMs())) ?? []].flat(),
  ])
  print(flag('json') ? JSON.stringify(report) : reportText(report))
  // A dead letter or a waiting log is news, not a failure of the question.
  return report.parts.some(({ state }) => state === 'down') ? 1 : 0
}

/** A line about the same from outside says more. */
function withParts(report: DoctorReport, parts: readonly PartReport[]): DoctorReport {
  const names = new Set(parts.map(({ name }) => name))
  const all = [...report.parts.filter(({ name }) => !names.has(name)), ...withNext(parts)]
  return { ...report, parts: all, state: worstState(all) }
}

/** Damaged records are not opened: what writes into them makes it worse. */
async function lookAtStopped(config: Config, damage: PartReport | undefined): Promise<DoctorReport> {
  if (damage === undefined) return examineStopped(config)
  const { waiting, part } = await lookAtLog(config.engines.log, systemClock)
  const parts = withNext([stoppedPart([]), part])
  const nothing = { processes: [], nodes: [], deadLetters: 0, outcomes: [] }
  return { version: VERSION, state: worstState(parts), parts, log: waiting, ...nothing }
}

/** A start that only accepts events has no app process to ask; the others say in the records that they run. */
const stoppedPart = (running: readonly string[]): PartReport =>
  running.length === 0
    ? { name: 'sonde', state: 'stopped', detail: 'not running: `npm start` (or `sonde start`) starts it' }
    : {
        name: 'sonde',
        state: 'ok',
        detail: `no app process of this data folder; ${running.join(', ')} ${running.length === 1 ? 'runs' : 'run'}`,
      }

async function examineStopped(config: Config): Promise<DoctorReport> {
  refuseMoved(config)
  refuseUnfinishedRestore(config.dataDir)
  const logger = createLogger('cli', 'warn')
  openDataDir(config.dataDir, logger)
  const names = ['records', 'telemetry'] as const
  const { records, telemetry, close } = await openEngines(config.engines, names, { logger })
  const blobs = await openBlobs(config, logger)
  try {
    const running = await runningNodes(records.db, systemClock.nowMs())
    return await examine(openInstallation(operatorViewer), {
      records: records.db,
      opened: records,
      telemetry,
      blobs,
      log: config.engines.log,
      clock: systemClock,
      disk: () => diskSpaceOf(config.dataDir),
      backups: backupsLine(config, { records: records.db, clock: systemClock }),
      parts: [stoppedPart(running.map(({ name }) => name)), dataDirPart(config.dataDir)],
      limits: {
        attachmentQuotaBytes: config.attachmentQuotaBytes,
        freeShares: keepsDataOnDisk(config) ? config.freeShares : undefined,
      },
    })
  } finally {
    await close()
  }
}

/** Where they cannot be opened, their line says why. */
async function openBlobs(config: Config, logger: Logger): Promise<Pick<Blobs, 'whereabouts'>> {
  try {
    const { blobs, close } = await openEngines(config.engines, ['blobs'], { logger })
    await close()
    return blobs
  } catch (error) {
    return { whereabouts: () => Promise.reject(error) }
  }
}
