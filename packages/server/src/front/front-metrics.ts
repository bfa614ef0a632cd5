/** What the front shows of itself besides what ingest counts. */
import type { Metrics } from '@sonde/base'
import type { LogWriter } from '@sonde/log'
import type { BackState } from './back-supervisor.ts'

export function observeFront(metrics: Metrics): void {
  metrics.observed('sonde_front_resident_memory_bytes', 'Resident memory of the front', () =>
    process.memoryUsage.rss(),
  )
}

export function observeBack(metrics: Metrics, state: () => BackState): void {
  metrics.observed('sonde_back_up', '1 while the back process is ready', () => (state() === 'ready' ? 1 : 0))
}

export function observeLog(metrics: Metrics, log: LogWriter): void {
  const observe = (name: string, help: string, read: () => number): void => metrics.observed(name, help, read)
  observe('sonde_log_waiting_bytes', 'Bytes received and not yet on disk', () => log.stats().waitingBytes)
  observe('sonde_log_records_total', 'Records made durable since the start', () => log.stats().records)
  observe('sonde_log_flushes_total', 'Flushes since the start; records share them', () => log.stats().groups)
  observe('sonde_log_refused_total', 'Records that could not be made durable', () => log.stats().refused)
}
