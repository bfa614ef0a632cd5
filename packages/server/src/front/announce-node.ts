/**
 * Says in the records, every few seconds, that this start runs and how it is, so that the status page and the doctor of any
 * node know it. The front says it: each start has one, and it lives while the back does not. Nothing waits for it but the
 * start of the back.
 */
import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, type Logger, steadyMs } from '@sonde/base'
import type { NodeRow, NodeState } from '@sonde/stores'
import type { Engines } from '@sonde/stores/engines'
import { FORGET_AFTER_MS, type NodeFigures } from '../doctor/node-figures.ts'
import { createProcessFigures, type WatchedProcess } from '../doctor/process-figures.ts'
import type { PartReport } from '../doctor/report.ts'
import type { Role } from '../modules.ts'
import { VERSION } from '../version.ts'
import type { BackState } from './back-supervisor.ts'

export type AnnouncedBack = {
  readonly state: () => BackState
  readonly pid: () => number | undefined
  /** What its parts say of themselves. */
  readonly parts: () => Promise<readonly PartReport[]>
}

export type AnnouncedNode = {
  /** From now on what is said of the node includes it. */
  has(back: AnnouncedBack): void
}

export type AnnounceOptions = {
  readonly registry: NonNullable<Engines['nodes']>
  readonly port: number
  readonly roles: ReadonlySet<Role>
  readonly dataDir: string
  readonly clock: Clock
  readonly logger: Logger
  readonly isEnding: () => boolean
  /** Why the front is not ready. */
  readonly notReady: () => string | undefined
}

const SAY_EVERY_MS = 5_000
/** Another state is said at once: a stop behind a load balancer takes only seconds. */
const LOOK_EVERY_MS = 1_000
/** Records that are away must not keep the start waiting; the back could not open them either. */
const FIRST_WITHIN_MS = 3_000

/** Resolves once it was said, or cannot be for now. */
export async function announceNode(
  options: AnnounceOptions,
): Promise<AnnouncedNode & { stop(): Promise<void> }> {
  const { registry, clock, logger, roles, isEnding, notReady } = options
  const host = hostname()
  const own = { name: `${host}:${options.port}`, run: randomUUID() }
  const startedMs = clock.nowMs()
  const stopping = new AbortController()
  const hasBack = [...roles].some((role) => role !== 'ingest')
  let back: AnnouncedBack | undefined
  let wasReady = false
  let isFailing = false

  const processes = createProcessFigures((): readonly WatchedProcess[] => {
    const pid = back?.pid()
    return [
      { name: 'front', pid: process.pid },
      ...(pid === undefined ? [] : [{ name: 'back', pid } as const]),
    ]
  }, clock)

  const trouble = (): string => {
    const reason = notReady()
    if (reason !== undefined) return reason
    const state = back?.state() ?? (hasBack ? 'starting' : 'ready')
    return state === 'ready' ? '' : `its app process is ${state}`
  }
  const stateNow = (): NodeState => {
    if (isEnding()) return 'draining'
    if (trouble() !== '') return wasReady ? 'not ready' : 'starting'
    wasReady = true
    return 'ready'
  }
  const row = async (state: NodeState): Promise<NodeRow> => {
    const [space, parts, used] = await Promise.all([
      statfs(options.dataDir).catch(() => undefined),
      back?.state() === 'ready' ? back.parts().catch(() => []) : [],
      processes(),
    ])
    const figures: NodeFigures = {
      trouble: trouble(),
      processes: used,
      parts,
      ...(space && { freeBytes: space.bavail * space.bsize, sizeBytes: space.blocks * space.bsize }),
    }
    return {
      ...own,
      host,
      back_pid: back?.pid() ?? null,
      version: VERSION,
      roles: JSON.stringify([...roles]),
      state,
      started_ms: startedMs,
      seen_ms: clock.nowMs(),
      figures: JSON.stringify(figures),
    }
  }
  const say = async (state: NodeState): Promise<void> => {
    try {
      const now = await row(state)
      await registry.announce(now, now.seen_ms - FORGET_AFTER_MS)
      isFailing = false
    } catch (error) {
      // The first start of an installation comes before the tables; an outage of the records shows in many lines already.
      if (!isFailing) logger.info({ err: error }, 'the other nodes are not told that this one runs')
      isFailing = true
    }
  }
  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)

  const loop = async (): Promise<void> => {
    let said = stateNow()
    let saidMs = steadyMs(clock)
    while (!stopping.signal.aborted) {
      await pause(LOOK_EVERY_MS)
      const state = stateNow()
      if (stopping.signal.aborted || (state === said && steadyMs(clock) - saidMs < SAY_EVERY_MS)) continue
      said = state
      saidMs = steadyMs(clock)
      await say(state)
    }
  }
  const first = say(stateNow())
  await Promise.race([first, pause(FIRST_WITHIN_MS)])
  const looping = first.then(loop)

  return {
    has(announced) {
      back = announced
    },
    async stop() {
      stopping.abort()
      await looping
      await registry.leave(own).catch((error: unknown) => {
        logger.info({ err: error }, 'the other nodes are not told that this one ended')
      })
    },
  }
}
