/** What the front shows of itself besides what ingest counts. */
import type { Metrics } from '@sonde/base'
import type { LogWriter } from '@sonde/log'
import type { BackState } from './back-supervisor.ts'

export function observeFront(metrics: Metrics, log: LogWriter, backState: () => BackState): void {
  metrics.observed('sonde_back_up', '1 while the back process is ready', () =>
    backState() === 'ready' ? 1 : 0,
  )
  metrics.observed('sonde_front_resident_memory_bytes', 'Resident memory of the front', () =>
    process.memoryUsage.rss(),
  )
  metrics.observed(
    'sonde_log_waiting_bytes',
    'Bytes received and not yet on disk',
    () => log.stats().waitingBytes,
  )
  metrics.observed(
    'sonde_log_records_total',
    'Records made durable since the start',
    () => log.stats().records,
  )
  metrics.observed(
    'sonde_log_flushes_total',
    'Flushes since the start; records share them',
    () => log.stats().groups,
  )
  metrics.observed(
    'sonde_log_refused_total',
    'Records that could not be made durable',
    () => log.stats().refused,
  )
}
