import type { Metrics } from '@sonde/base'
import type { MemoryBudget } from '../body/memory-budget.ts'

type Child = { inc(): void }
export type RequestMetrics = { count(endpoint: string, status: number, reason: string): void }

/** `reason` is empty for what was accepted. All label values come from small fixed sets. */
export function createRequestMetrics(metrics: Metrics, budget: MemoryBudget): RequestMetrics {
  const requests = metrics.counter('sonde_ingest_requests_total', 'Requests at the ingest endpoints.', [
    'endpoint',
    'status',
    'reason',
  ])
  const inFlight = metrics.gauge('sonde_ingest_in_flight_bytes', 'Request bodies held in memory.')
  // prom-client calls `collect` when somebody reads the metrics: nothing to pay per request.
  Object.assign(inFlight, { collect: () => inFlight.set(budget.usedBytes()) })
  // prom-client hashes labels at each call; a child remembers its hash.
  const accepted = new Map<string, Child>()
  const others = new Map<string, Child>()
  return {
    count(endpoint, status, reason) {
      const isAccepted = status === 200 && reason === ''
      // Joining the labels costs more than all the rest; nearly every request is accepted.
      const children = isAccepted ? accepted : others
      const id = isAccepted ? endpoint : `${endpoint} ${status} ${reason}`
      let child = children.get(id)
      if (!child) {
        child = requests.labels({ endpoint, status: String(status), reason })
        children.set(id, child)
      }
      child.inc()
    },
  }
}
