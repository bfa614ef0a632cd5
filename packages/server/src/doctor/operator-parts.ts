/** The operator's page: the doctor's report, with disks and dead letters. */
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@sonde/base'
import type { LogWriter } from '@sonde/log'
import type { DeadLetters } from '@sonde/pipeline'
import type { OperatorParts } from '@sonde/web/server'
import { replayDeadLetters } from '../back/replay.ts'
import type { Config } from '../config/config.ts'
import type { DoctorReport } from './report.ts'

export type OperatorNeeds = {
  readonly paths: Config['paths']
  readonly dead: DeadLetters
  readonly append: LogWriter['append']
  readonly clock: Clock
  readonly doctor: () => Promise<DoctorReport>
}

const MAX_DEAD = 100

export function operatorParts({ paths, dead, append, clock, doctor }: OperatorNeeds): OperatorParts {
  const startedMs = clock.nowMs() - Math.round(process.uptime() * 1000)
  return {
    async status() {
      const [report, disk, waiting] = await Promise.all([
        doctor(),
        diskUse(paths),
        dead.list({ limit: MAX_DEAD, waitingOnly: true }),
      ])
      const { version, state, log, deadLetters, parts } = report
      const front = { name: 'front', state: 'ok' as const, detail: 'runs: it handed this page on' }
      return {
        version,
        state,
        parts: [front, ...parts],
        log,
        deadCount: deadLetters,
        dead: waiting.map(({ id, projectId, itemType, reason, detail, createdMs }) => ({
          id,
          projectId,
          itemType,
          reason,
          detail,
          createdMs,
        })),
        startedMs,
        residentBytes: process.memoryUsage.rss(),
        disk,
      }
    },
    replay: (ids) => replayDeadLetters(dead, append, JSON.stringify({ ids })),
  }
}

async function diskUse(paths: Config['paths']) {
  const [log, telemetry, blobs, records, space] = await Promise.all([
    bytesOf(paths.log),
    bytesOf(paths.telemetry),
    bytesOf(paths.blobs),
    Promise.all(['', '-wal', '-shm'].map((end) => bytesOf(paths.records + end))),
    statfs(paths.log).catch(() => undefined),
  ])
  return {
    freeBytes: space && space.bavail * space.bsize,
    totalBytes: space && space.blocks * space.bsize,
    stores: [
      { name: 'Telemetry', holds: 'events and what is counted', bytes: telemetry },
      { name: 'Log', holds: 'what was received, until it is stored and a while longer', bytes: log },
      { name: 'Records', holds: 'issues, projects, people', bytes: sum(records) },
      { name: 'Blobs', holds: 'attachments and dead letters', bytes: blobs },
    ],
  }
}

/** Of a file or of all files below a folder; what goes away meanwhile counts nothing. */
async function bytesOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return 0
  if (!found.isDirectory()) return found.size
  const names = await readdir(path).catch(() => [])
  return sum(await Promise.all(names.map((name) => bytesOf(join(path, name)))))
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)
