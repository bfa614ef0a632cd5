/** What `sonde doctor` says: is each part well, what waits, and what became of everything received. */
import { table } from '@sonde/cli'
import type { OutcomeCount } from '@sonde/queries'
import type { OperatorNode, OperatorProcess } from '@sonde/web/server'

/** The doctor's report for people. */
const SIGNS: Readonly<Record<PartState, string>> = { ok: '✓', degraded: '!', down: '✗', stopped: '–' }

export function reportText(report: DoctorReport): string {
  const parts = report.parts.map(({ name, state, detail }) => [`  ${SIGNS[state]}`, name, state, detail])
  const outcomes = report.outcomes.map(({ category, outcome, reason, quantity }) => [
    `  ${quantity.toLocaleString('en')}`,
    category,
    outcome,
    reason,
  ])
  const processes = report.processes.map(({ name, pid, uptimeMs, rssBytes, privateBytes, cpuShare }) => [
    `  ${name}`,
    `pid ${pid}`,
    `up ${Math.round(uptimeMs / 60_000)} min`,
    `${mb(rssBytes)} resident`,
    privateBytes === undefined ? '' : `${mb(privateBytes)} private`,
    `${Math.round(cpuShare * 100)}% of a core`,
  ])
  const { depthBytes, keptBytes, oldestAgeMs } = report.log
  const waiting =
    depthBytes === 0
      ? 'no backlog'
      : `backlog of ${depthBytes.toLocaleString('en')} bytes, oldest ${(oldestAgeMs / 1000).toFixed(1)} s`
  const partitions = (report.log.partitions ?? []).map(({ stream, records, bytes, oldestAgeMs: ageMs }) => [
    `  ${stream}`,
    records === 0 ? 'no backlog' : `${records.toLocaleString('en')} records`,
    records === 0 ? '' : `${bytes.toLocaleString('en')} bytes`,
    records === 0 ? '' : `oldest ${(ageMs / 1000).toFixed(1)} s`,
  ])
  return [
    `Sonde ${report.version}: ${report.state}`,
    '',
    table(parts),
    '',
    ...(report.nodes.length > 0 ? ['Nodes:', table(report.nodes.map(nodeLine)), ''] : []),
    ...(processes.length === 0
      ? []
      : [report.nodes.length > 0 ? 'Processes of this node:' : 'Processes:', table(processes), '']),
    `Log: ${waiting}; ${keptBytes.toLocaleString('en')} bytes on disk`,
    ...(partitions.length === 0 ? [] : [table(partitions)]),
    '',
    'Ingestion outcomes, last 24 hours:',
    outcomes.length === 0 ? '  no data received' : table(outcomes),
  ].join('\n')
}

function nodeLine(node: OperatorNode): readonly string[] {
  const { name, roles, version, state, startedMs, seenMs, processes, partitions, lagMs, freeBytes } = node
  const rss = processes.reduce((sum, { rssBytes }) => sum + rssBytes, 0)
  const isThere = state !== 'missing'
  return [
    `  ${name}`,
    isThere ? state : `missing since ${new Date(seenMs).toISOString().slice(0, 16)}Z`,
    roles.join(','),
    version,
    isThere ? `up ${Math.round((seenMs - startedMs) / 60_000)} min` : '',
    isThere ? `${mb(rss)} resident` : '',
    isThere && freeBytes !== undefined ? `${(freeBytes / 1e9).toFixed(1)} GB of disk free` : '',
    partitions.length === 0 ? '' : `partitions ${partitions.join(',')}, lag ${(lagMs / 1000).toFixed(1)} s`,
  ]
}

const mb = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`

const PART_STATES = ['ok', 'degraded', 'down', 'stopped'] as const
export type PartState = (typeof PART_STATES)[number]

export type PartReport = {
  readonly name: string
  readonly state: PartState
  /** One sentence; where the state is not `ok`, with the next step. */
  readonly detail: string
}

export type DoctorReport = {
  readonly version: string
  /** The worst state of any part. */
  readonly state: PartState
  readonly parts: readonly PartReport[]
  /** What waits between the answer to an SDK and the screen. */
  readonly log: {
    readonly depthBytes: number
    readonly keptBytes: number
    readonly oldestAgeMs: number
    /** Of a log on NATS; their sums are the figures above. */
    readonly partitions?: readonly LogPartition[]
  }
  /** None where nothing runs, or where the system does not tell. */
  readonly processes: readonly OperatorProcess[]
  /** By name; none where there is only one. */
  readonly nodes: readonly OperatorNode[]
  readonly deadLetters: number
  /** Over the last 24 hours. */
  readonly outcomes: readonly OutcomeCount[]
}

export type LogPartition = {
  readonly stream: string
  readonly records: number
  readonly bytes: number
  readonly oldestAgeMs: number
}

export function worstState(parts: readonly PartReport[]): PartState {
  const rank = (state: PartState): number => PART_STATES.indexOf(state)
  return parts.reduce<PartState>((worst, part) => (rank(part.state) > rank(worst) ? part.state : worst), 'ok')
}
