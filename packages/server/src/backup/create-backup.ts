/**
 * Makes a backup of a data folder whose stores this process has open. For a moment nothing is written to them; what arrives
 * goes to the log, as always. A process of its own copies (`backup-process.ts`).
 */
import { randomBytes } from 'node:crypto'
import type { Clock, Logger } from '@sonde/base'
import type { Telemetry } from '@sonde/stores'
import { type BackupTarget, type CreateJob, frozenName, type FrozenRows } from './backup-messages.ts'
import type { BackupSummary } from './manifest.ts'
import { type CopierOptions, startCopier } from './start-copier.ts'
import type { WriteGate } from './write-gate.ts'

export type CreateBackup = CopierOptions & {
  /** Of the engine itself, not through the gate. */
  readonly telemetry: Pick<Telemetry, 'query' | 'command'>
  readonly gate: WriteGate
  readonly dataDir: string
  /** Undefined: it lies outside of the data folder, where backups do not take it from. */
  readonly secretFile: string | undefined
  readonly target: BackupTarget
  readonly version: string
  readonly clock: Clock
  readonly logger: Logger
}

const OPERATION = 'back up'

/** Rejects with why there is no backup. */
export async function createBackup(options: CreateBackup): Promise<BackupSummary> {
  const { gate, clock, logger } = options
  const job: CreateJob = {
    kind: 'create',
    id: newId(clock),
    target: options.target,
    dataDir: options.dataDir,
    secretFile: options.secretFile,
    version: options.version,
  }
  const copier = startCopier(OPERATION, options)
  const name = frozenName(job.id)
  let release: (() => void) | undefined
  try {
    copier.send(job)
    await copier.heard('ready')
    release = await gate.holdDeletes()
    const frozen = await gate.closed(async () => {
      const closedMs = performance.now()
      copier.send({ kind: 'pin' })
      const [rows] = await Promise.all([freeze(options.telemetry, name), copier.heard('pinned')])
      return { rows, pausedMs: Math.round(performance.now() - closedMs) }
    })
    copier.send({ kind: 'copy', ...frozen })
    await copier.heard('linked')
    release()
    const { summary } = await copier.heard('done')
    const { id, bytes, newBytes, tookMs, pausedMs } = summary
    logger.info(
      { backup: id, to: options.target.name, bytes, newBytes, tookMs, pausedMs },
      'a backup was made',
    )
    return summary
  } finally {
    release?.()
    await copier.end()
  }
}

/** Sorted as they were made. */
function newId(clock: Clock): string {
  const time = new Date(clock.nowMs()).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  return `${time}-${randomBytes(3).toString('hex')}`
}

/** Hard links of all parts, below `shadow/NAME` of the engine's folder. */
async function freeze(telemetry: Pick<Telemetry, 'query' | 'command'>, name: string): Promise<FrozenRows> {
  const { query, command } = telemetry
  const tables = await query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
  )
  const before = await rowsOf(telemetry)
  for (const table of tables) await command(`ALTER TABLE ${table.name} FREEZE WITH NAME '${name}'`)
  const after = await rowsOf(telemetry)
  return Object.fromEntries(Object.entries(before).filter(([table, rows]) => after[table] === rows))
}

async function rowsOf({ query }: Pick<Telemetry, 'query'>): Promise<FrozenRows> {
  const rows = await query<{ name: string; n: number }>(
    'SELECT table AS name, sum(rows) AS n FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table',
  )
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}
