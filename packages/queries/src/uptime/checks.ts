/** Single checks of a monitor and their times: one range of the key of `uptime_checks`. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'telemetry'>
type ReadGrant = Grant<'alert:read', 'project'>

export type UptimeCheckRow = {
  readonly atMs: number
  readonly outcome: string
  readonly isUp: boolean
  readonly status: number
  readonly reason: string
  readonly address: string
  readonly dnsMs: number
  readonly connectMs: number
  readonly tlsMs: number
  readonly firstByteMs: number
  readonly downloadMs: number
  readonly totalMs: number
}

const OF_MONITOR = 'project_id = {project:UInt32} AND monitor_id = {monitor:UInt32}'

/** The newest first. */
export async function uptimeChecks(
  { telemetry }: Deps,
  { projectId }: ReadGrant,
  { monitorId, limit }: { readonly monitorId: number; readonly limit: number },
): Promise<readonly UptimeCheckRow[]> {
  const rows = await telemetry.query<Omit<UptimeCheckRow, 'isUp'> & { readonly isUp: number }>(
    `SELECT toUnixTimestamp64Milli(timestamp) AS atMs, outcome, is_up AS isUp, status, reason, address,
       dns_ms AS dnsMs, connect_ms AS connectMs, tls_ms AS tlsMs, first_byte_ms AS firstByteMs,
       download_ms AS downloadMs, total_ms AS totalMs
     FROM uptime_checks WHERE ${OF_MONITOR}
     ORDER BY project_id DESC, monitor_id DESC, timestamp DESC LIMIT {limit:UInt32}`,
    { project: projectId, monitor: monitorId, limit },
  )
  return rows.map((row) => ({ ...row, isUp: row.isUp === 1 }))
}

const UPTIME_PHASES = ['dns', 'connect', 'tls', 'firstByte', 'download'] as const
export type UptimePhase = (typeof UPTIME_PHASES)[number]

export type UptimeSeries = {
  readonly fromMs: number
  readonly stepMs: number
  readonly checks: readonly number[]
  readonly failed: readonly number[]
  /** Mean of those that were right, by phase; null: there was none. */
  readonly phases: Readonly<Record<UptimePhase, readonly (number | null)[]>>
}

const MAX_STEPS = 200
const MINUTE_MS = 60_000
const STEPS_MS = [1, 5, 10, 30, 60, 180, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS)

export async function uptimeSeries(
  { telemetry }: Deps,
  { projectId }: ReadGrant,
  {
    monitorId,
    fromMs: askedMs,
    toMs,
  }: { readonly monitorId: number; readonly fromMs: number; readonly toMs: number },
): Promise<UptimeSeries> {
  const stepMs = STEPS_MS.find((step) => (toMs - askedMs) / step <= MAX_STEPS) ?? 1_440 * MINUTE_MS
  const fromMs = Math.floor(askedMs / stepMs) * stepMs
  const rows = await telemetry.query<
    { readonly step: number; readonly checks: number; readonly failed: number } & Readonly<
      Record<UptimePhase, number>
    >
  >(
    `SELECT intDiv(toUnixTimestamp64Milli(timestamp) - {fromMs:Int64}, {stepMs:Int64}) AS step, count() AS checks,
       countIf(is_up = 0) AS failed, avgIf(dns_ms, is_up = 1) AS dns, avgIf(connect_ms, is_up = 1) AS connect,
       avgIf(tls_ms, is_up = 1) AS tls, avgIf(first_byte_ms, is_up = 1) AS firstByte,
       avgIf(download_ms, is_up = 1) AS download
     FROM uptime_checks WHERE ${OF_MONITOR} AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}
       AND received >= {from:DateTime64(3)}
     GROUP BY step ORDER BY step`,
    { project: projectId, monitor: monitorId, fromMs, stepMs, from: fromMs, to: toMs },
  )
  const steps = Math.max(1, Math.ceil((toMs - fromMs) / stepMs))
  const known = new Map(rows.map((row) => [row.step, row]))
  const each = <T>(pick: (row: (typeof rows)[number] | undefined) => T): readonly T[] =>
    Array.from({ length: steps }, (_, step) => pick(known.get(step)))
  const phase = (name: UptimePhase) => each((row) => (row && row.checks > row.failed ? row[name] : null))
  return {
    fromMs,
    stepMs,
    checks: each((row) => row?.checks ?? 0),
    failed: each((row) => row?.failed ?? 0),
    phases: {
      dns: phase('dns'),
      connect: phase('connect'),
      tls: phase('tls'),
      firstByte: phase('firstByte'),
      download: phase('download'),
    },
  }
}
