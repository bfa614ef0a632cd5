/** The operator's page: what the doctor sees, the outcomes over time, the disk and the dead letters. */
import type { Grant } from '@sonde/access'
import type { DeadLetters } from '@sonde/pipeline'
import { installationOutcomeSeries, bucketWindow } from '@sonde/queries'
import type { DiskUsage, OperatorStatus, OperatorStatusInput, OperatorWork } from '@sonde/web/server'
import { clockPart } from './clock-part.ts'
import { type Examined, examine } from './examine.ts'
import { type PartReport, worstState } from './report.ts'

export type OperatorStatusDeps = Omit<Examined, 'parts' | 'disk'> & {
  /** As they are at the moment of the question. */
  readonly parts: () => readonly PartReport[]
  readonly dead: Pick<DeadLetters, 'list'>
  readonly diskUsage: () => Promise<DiskUsage>
  readonly work?: () => Promise<OperatorWork>
}

export type ReadOperatorStatus = (
  grant: Grant<'operate', 'operator'>,
  input?: OperatorStatusInput,
) => Promise<OperatorStatus>

const DAY_MS = 86_400_000
const MAX_PERIOD_MS = 90 * DAY_MS
const DEAD_LETTERS = 100

export function createOperatorStatus(deps: OperatorStatusDeps): ReadOperatorStatus {
  const { telemetry, clock, dead, diskUsage, parts } = deps
  return async (grant, { periodMs = DAY_MS, buckets = 48 } = {}) => {
    const atMs = clock.nowMs()
    const fromMs = Math.max(0, atMs - Math.min(MAX_PERIOD_MS, Math.max(60_000, periodMs)))
    const window = { fromMs, toMs: atMs, buckets }
    const [report, outcomes, disk, list, work] = await Promise.all([
      examine(grant, { ...deps, parts: parts(), disk: diskUsage }),
      // Its part says what is wrong with telemetry: the rest of the page is needed most just then.
      installationOutcomeSeries({ telemetry }, grant, window).catch(() => ({
        ...bucketWindow(window),
        lines: [],
      })),
      diskUsage(),
      dead.list({ limit: DEAD_LETTERS }),
      deps.work?.(),
    ])
    const clockLine = clockPart(work?.clockAheadMs)
    // The same clock has one line: that of the database says more.
    const isTold = report.parts.some(({ name }) => name === 'clock')
    const all = clockLine && !isTold ? [...report.parts, clockLine] : report.parts
    return {
      atMs,
      version: report.version,
      runtime: `Node ${process.versions.node}, ${process.platform} ${process.arch}`,
      state: worstState(all),
      parts: all,
      log: report.log,
      processes: report.processes,
      nodes: report.nodes,
      lagMs: report.log.depthBytes === 0 ? 0 : report.log.oldestAgeMs,
      outcomes,
      work,
      disk,
      deadLetters: { waiting: report.deadLetters, list },
    }
  }
}
