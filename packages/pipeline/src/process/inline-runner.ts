/** Stands in for a thread on the caller's own one: no limit of time or memory, but the same work. */
import type { FileSource } from '../maps/file-asks.ts'
import { createThreadFiles } from '../maps/thread-files.ts'
import type { StageTimes } from '../stage-runner.ts'
import type { DigestThread } from './worker-thread.ts'
import { runWork } from './jobs.ts'

/** Lets the event loop turn after this long, so that probes and signals are answered. */
const MAX_BLOCK_MS = 10

export function inlineRunner(source: FileSource | undefined, mapCacheBytes: number): DigestThread {
  const files = source && createThreadFiles(source, { maxBytes: mapCacheBytes })
  return {
    async run(work, epoch) {
      if (epoch !== undefined) files?.setEpoch(epoch)
      const times: StageTimes = new Map()
      let since = performance.now()
      const pause = async (): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve))
        since = performance.now()
      }
      const onBegin = () => (performance.now() - since < MAX_BLOCK_MS ? undefined : pause())
      try {
        return { ok: true, done: await runWork(work, files, times, onBegin), times }
      } catch (error) {
        files?.release()
        return {
          ok: false,
          reason: 'trouble',
          error: error instanceof Error ? error : new Error(String(error)),
        }
      }
    },
    close: () => Promise.resolve(),
  }
}
