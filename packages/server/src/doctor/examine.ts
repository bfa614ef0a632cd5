/** Looks at every part of a Sonde whose stores are open in this process. */
import type { Grant } from '@sonde/access'
import { type Clock, SondeError } from '@sonde/base'
import { installationOutcomes } from '@sonde/queries'
import {
  type Blobs,
  type DiskWatchState,
  type EngineConfig,
  nowMs,
  type OpenRecords,
  readStorageState,
  type Records,
  type Telemetry,
} from '@sonde/stores'
import type { DiskUsage, OperatorProcess } from '@sonde/web/server'
import type { FreeShares } from '../front/disk-guard.ts'
import { VERSION } from '../version.ts'
import { clickhousePart } from './clickhouse-part.ts'
import { databaseClockPart } from './clock-part.ts'
import { damagePart } from './damage-part.ts'
import { lookAtLog } from './look-at-log.ts'
import { lookAtNodes, type NodesLook } from './nodes.ts'
import { attachmentPart, type DiskMarks, diskPart, recordsPlace, reprocessingPart } from './parts.ts'
import { type DoctorReport, type PartReport, worstState } from './report.ts'
import { storedTroubles } from './stored-troubles.ts'
import { withNext } from './troubles.ts'

export type Examined = {
  readonly records: Records
  /** Where they are. */
  readonly opened?: Pick<OpenRecords, 'engine' | 'sizeBytes'>
  readonly telemetry: Telemetry
  readonly blobs?: Pick<Blobs, 'whereabouts' | 'unreadable'>
  readonly log: EngineConfig['log']
  readonly clock: Clock
  /** Parts that speak for themselves: the processes, the pipeline. */
  readonly parts: readonly PartReport[]
  readonly disk?: () => Promise<Pick<DiskUsage, 'freeBytes' | 'sizeBytes'>>
  readonly limits?: DiskLimits
  /** Undefined where backups are not Sonde's own. */
  readonly backups?: (() => Promise<PartReport>) | undefined
  readonly processes?: () => Promise<readonly OperatorProcess[]>
  /** The process that looks, where it is one of several nodes. */
  readonly own?: { readonly host: string; readonly pid: number }
}

export type DiskLimits = {
  readonly attachmentQuotaBytes: number
  /** Undefined: nothing that grows lies on this disk. */
  readonly freeShares: FreeShares | undefined
  readonly diskMarks?: DiskMarks
}

const OUTCOMES_OVER_MS = 24 * 60 * 60 * 1000

/** What it finds speaks of every organization: so it takes the grant for the whole installation. */
export async function examine(
  grant: Grant<'operate', 'operator'>,
  examined: Examined,
): Promise<DoctorReport> {
  const { records, opened, telemetry, blobs, clock, parts, limits } = examined
  const [
    log,
    recordsPart,
    telemetryPart,
    clickhouse,
    blobsPart,
    reprocessing,
    attachments,
    outcomes,
    dead,
    disk,
    processes,
    damagedParts,
    backups,
    databaseClock,
  ] = await Promise.all([
    lookAtLog(examined.log, clock),
    probe('records', async () => {
      const { projects } = await records
        .selectFrom('project')
        .select((count) => count.fn.countAll<number>().as('projects'))
        .executeTakeFirstOrThrow()
      return `${projects} project${projects === 1 ? '' : 's'}${opened ? await recordsPlace(opened) : ''}`
    }),
    probe('telemetry', async () => {
      const [row] = await telemetry.query<{ events: number }>('SELECT count() AS events FROM events')
      return `${row?.events ?? 0} event${row?.events === 1 ? '' : 's'} stored`
    }),
    telemetry.describe?.().then(clickhousePart, clickhouseSilent),
    // A folder is of the disk, which has a line of its own.
    blobs?.whereabouts && probe('blobs', blobs.whereabouts),
    // Where the records cannot be read, their own line says so.
    reprocessingPart(records).catch(() => undefined),
    limits && attachmentPart(records, limits.attachmentQuotaBytes).catch(() => undefined),
    installationOutcomes({ telemetry, clock }, grant, { periodMs: OUTCOMES_OVER_MS }).catch(() => []),
    deadLetters(records).catch(() => 0),
    examined
      .disk?.()
      .then(
        async (space) => diskPart(space, limits ? limits.freeShares : NO_LIMITS, await diskWatch(examined)),
        unknownDisk,
      ),
    examined.processes?.(),
    // Where telemetry cannot be read, its own line says so.
    telemetry.damagedParts?.().catch(() => []),
    examined.backups?.().catch(() => undefined),
    // A file has the clock of this machine. Where the records cannot be read, their own line says so.
    opened && opened.engine.name !== 'SQLite'
      ? aheadOfDatabase(records, clock).then(databaseClockPart, () => undefined)
      : undefined,
  ])
  const damage = damagePart({
    logDir: 'dir' in examined.log ? examined.log.dir : '',
    stretches: log.damaged ?? [],
    parts: damagedParts ?? [],
    blobs: blobs?.unreadable?.() ?? [],
  })
  // Where the records cannot be read, their own line says so.
  const { nodes, parts: nodeParts } = await lookAtNodes(records, log.waiting, clock, examined.own).catch(
    (): NodesLook => ({ nodes: [], parts: [] }),
  )
  const deadPart: PartReport = {
    name: 'dead letters',
    state: dead === 0 ? 'ok' : 'degraded',
    detail:
      dead === 0
        ? 'none'
        : `${dead} could not be processed: \`sonde dead list\` or the status page says why; \`sonde dead replay\` tries again`,
  }
  const stores = [
    log.part,
    recordsPart,
    telemetryPart,
    ...(clickhouse ? [clickhouse] : []),
    ...(blobsPart ? [blobsPart] : []),
    ...(attachments ? [attachments] : []),
    ...(disk ? [disk] : []),
    ...(backups ? [backups] : []),
    ...(damage ? [damage] : []),
    ...(databaseClock ? [databaseClock] : []),
  ]
  // Where the records cannot be read, their own line says so.
  const troubles = await storedTroubles(records, outcomes, clock).catch(() => [])
  const told = [
    ...parts,
    ...nodeParts,
    ...stores,
    ...(reprocessing ? [reprocessing] : []),
    deadPart,
    ...troubles,
  ]
  const all = withNext(told)
  return {
    version: VERSION,
    state: worstState(all),
    parts: all,
    log: log.waiting,
    processes: processes ?? [],
    nodes,
    deadLetters: dead,
    outcomes,
  }
}

/** Measured against the middle of the question, so a slow answer says little. */
async function aheadOfDatabase(records: Records, clock: Clock): Promise<number> {
  const askedMs = clock.nowMs()
  const { now_ms: theirsMs } = await records.selectNoFrom(nowMs().as('now_ms')).executeTakeFirstOrThrow()
  const tookMs = clock.nowMs() - askedMs
  const aheadMs = askedMs + tookMs / 2 - theirsMs
  return Math.abs(aheadMs) <= tookMs ? 0 : aheadMs
}

async function diskWatch({ records, clock, limits }: Examined) {
  if (!limits?.diskMarks) return undefined
  // Where the records cannot be read, their own line says so.
  const state = await readStorageState<DiskWatchState>(records, 'disk').catch(() => undefined)
  return { marks: limits.diskMarks, state, nowMs: clock.nowMs() }
}

const NO_LIMITS: FreeShares = { attachments: 0, everything: 0 }

const unknownDisk = (error: unknown): PartReport => ({
  name: 'disk',
  state: 'degraded',
  detail: `cannot be read:  ${error instanceof Error ? error.message : String(error)}`,
})

const clickhouseSilent = (error: unknown): PartReport => ({
  name: 'clickhouse',
  state: 'down',
  detail: error instanceof Error ? error.message : String(error),
})

async function probe(name: string, look: () => Promise<string>): Promise<PartReport> {
  try {
    return { name, state: 'ok', detail: await look() }
  } catch (error) {
    return { name, state: 'down', detail: inWords(error) }
  }
}

function inWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof SondeError && error.hint !== undefined ? `${message}; ${error.hint}` : message
}

async function deadLetters(records: Records): Promise<number> {
  const { waiting } = await records
    .selectFrom('dead_letter')
    .where('replayed_ms', 'is', null)
    .where('discarded_ms', 'is', null)
    .select((count) => count.fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  return waiting
}
