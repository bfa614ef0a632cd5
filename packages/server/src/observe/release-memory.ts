/**
 * Gives memory back once a process has nothing to do. V8 collects when something is allocated, so what a start or a flood left
 * would stay for as long as nothing comes: a third of the heap after a start (docs/internals/memory.md).
 */
import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_EVERY_MS = 1_000
/** Of the time since the last look: a page that is asked for takes more. */
const IDLE_UTILIZATION = 0.05
// It stops the event loop for a tenth of a second: few events an hour must not cost one each.
const AT_MOST_EVERY_MS = 5 * 60_000
const WORTH_BYTES = 8 * 1024 * 1024

type ReleaseOptions = {
  readonly lookEveryMs?: number
  readonly atMostEveryMs?: number
  readonly worthBytes?: number
  readonly release?: () => void
}

/** Of the thread that calls it; returns how to end that. */
export function releaseMemoryWhileIdle({
  lookEveryMs = LOOK_EVERY_MS,
  atMostEveryMs = AT_MOST_EVERY_MS,
  worthBytes = WORTH_BYTES,
  release = collectAll(),
}: ReleaseOptions = {}): () => void {
  let leftBytes = 0
  let releasedMs = -Infinity
  let seen = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(seen)
    seen = performance.eventLoopUtilization()
    if (utilization > IDLE_UTILIZATION || performance.now() - releasedMs < atMostEveryMs) return
    if (heapBytes() - leftBytes < worthBytes) return
    release()
    leftBytes = heapBytes()
    releasedMs = performance.now()
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

const heapBytes = (): number => getHeapStatistics().total_physical_size

function collectAll(): () => void {
  let collect: NodeJS.GCFunction | undefined
  return () => {
    if (!collect) {
      // Contexts that are made from now on have the function, and nobody else makes one.
      setFlagsFromString('--expose-gc')
      collect = runInNewContext('gc') as NodeJS.GCFunction
    }
    // Of several rounds, and pages that are empty then go back to the system.
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
}
