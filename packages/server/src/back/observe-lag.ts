/** How far the pipeline is behind the log, as metrics. */
import type { Clock, Metrics } from '@sonde/base'
import type { LogReaders } from '@sonde/log'

/** What more pipelines would shorten: a number of them is chosen by it (docs/operate/deploy.md). */
export function observeLag(metrics: Metrics, log: LogReaders, clock: Clock): void {
  const depths = () => Promise.all(log.readers.map((reader) => reader.depth()))
  metrics.observed('sonde_log_lag_bytes', 'Bytes in the log that are not stored yet', async () =>
    (await depths()).reduce((sum, { bytes }) => sum + bytes, 0),
  )
  metrics.observed('sonde_log_lag_seconds', 'Age of the oldest record that is not stored yet', async () => {
    const oldestMs = Math.min(...(await depths()).map((depth) => depth.oldestMs ?? Infinity))
    return oldestMs === Infinity ? 0 : Math.max(0, clock.nowMs() - oldestMs) / 1_000
  })
}
