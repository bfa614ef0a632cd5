/** The log as the doctor sees it: how much waits, and since when. Of a log on NATS also which servers, and each partition. */
import type { Clock } from '@sonde/base'
import { type DamagedStretch, inspectLog } from '@sonde/log'
import type { NatsInspection } from '@sonde/log/nats'
import type { EngineConfig } from '@sonde/stores'
import { logPart } from './parts.ts'
import type { DoctorReport, PartReport } from './report.ts'

export type LogLook = {
  readonly waiting: DoctorReport['log']
  readonly part: PartReport
  /** Of a log in a folder. */
  readonly damaged?: readonly DamagedStretch[]
}

/** Does not throw for a NATS that does not answer: its part says so. */
export async function lookAtLog(place: EngineConfig['log'], clock: Clock): Promise<LogLook> {
  const ageOf = (oldestMs: number | undefined): number =>
    oldestMs === undefined ? 0 : Math.max(0, clock.nowMs() - oldestMs)
  if ('dir' in place) {
    const { depth, keptBytes, damaged } = await inspectLog(place.dir)
    const waiting = { depthBytes: depth.bytes, keptBytes, oldestAgeMs: ageOf(depth.oldestMs) }
    return { waiting, part: logPart(waiting), damaged }
  }
  try {
    const { inspectNats } = await import('@sonde/log/nats')
    const found = await inspectNats(place)
    const partitions = found.partitions.map(({ stream, records, bytes, oldestMs }) => ({
      stream,
      records,
      bytes,
      oldestAgeMs: ageOf(oldestMs),
    }))
    const depthBytes = partitions.reduce((sum, { bytes }) => sum + bytes, 0)
    const oldestAgeMs = Math.max(0, ...partitions.map((each) => each.oldestAgeMs))
    const waiting = { depthBytes, keptBytes: depthBytes + found.piecesBytes, oldestAgeMs, partitions }
    return { waiting, part: natsPart(found, logPart(waiting)) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      waiting: { depthBytes: 0, keptBytes: 0, oldestAgeMs: 0 },
      part: {
        name: 'log',
        state: 'down',
        detail: `NATS does not answer: ${message}. Events are refused until it does; SONDE_NATS_URL names its servers.`,
      },
    }
  }
}

const NEARLY_FULL = 0.8

function natsPart(
  { address, version, partitions }: NatsInspection,
  { state, detail }: PartReport,
): PartReport {
  const [first] = partitions
  const last = partitions.at(-1)
  const streams = `${partitions.length} partitions (${first?.stream} to ${last?.stream}, ${first?.replicas} ${first?.replicas === 1 ? 'copy' : 'copies'})`
  const where = `NATS ${version} at ${address}, ${streams}: ${detail}`
  const behind = partitions.reduce((sum, each) => sum + each.behind, 0)
  const full = partitions.filter(({ bytes, maxBytes }) => maxBytes > 0 && bytes >= maxBytes * NEARLY_FULL)
  if (full.length > 0)
    return {
      name: 'log',
      state: 'degraded',
      detail: `${where}. ${full.map(({ stream }) => stream).join(', ')} nearly full: events of its projects will be refused. See why the pipeline is behind, or raise SONDE_NATS_MAX_BYTES.`,
    }
  if (behind > 0)
    return {
      name: 'log',
      state: 'degraded',
      detail: `${where}. ${behind} copies are on servers that are gone or behind: nats server report jetstream names them.`,
    }
  return { name: 'log', state, detail: where }
}
