/** Failures of one server of a cluster, said with its name. */
import { type SondeError, UnavailableError } from '@sonde/base'
import { engineError, engineErrorCode } from '../engine-error.ts'
import type { ClusterNode } from './cluster.ts'

// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
const UNREACHABLE = new Set<number | undefined>([
  32, // ATTEMPT_TO_READ_AFTER_EOF: it ended while it answered
  198, // DNS_ERROR
  209, // SOCKET_TIMEOUT
  210, // NETWORK_ERROR
  279, // ALL_CONNECTION_TRIES_FAILED
])

/**
 * The engine's words quote what they like; of them only the address of a server that we know is taken. One `unavailable`
 * for whatever says that a server of the cluster does not answer.
 */
export function shardError(
  error: unknown,
  cluster: string,
  nodes: readonly ClusterNode[],
  operation: string,
  subject: string,
): SondeError {
  if (!UNREACHABLE.has(engineErrorCode(error))) return engineError(error, operation, subject)
  const message = error instanceof Error ? error.message : ''
  const named = nodes.filter(({ name }) => mentions(message, name))
  const which =
    named.length === 0 ? 'a shard' : named.map(({ shard, name }) => `shard ${shard} (${name})`).join(', ')
  return new UnavailableError(
    `${operation}: ${which} of the ClickHouse cluster "${cluster}" ${named.length > 1 ? 'do' : 'does'} not answer`,
    {
      operation,
      subject,
      cause: engineError(error, operation, subject).cause,
      hint: 'start it again: what arrives meanwhile waits in the log, and nothing acknowledged is lost',
      retryAfterSec: 5,
      missing: `${shardsText(named)} of the telemetry store`,
    },
  )
}

const shardsText = (nodes: readonly ClusterNode[]): string =>
  nodes.length === 0 ? 'a shard' : `shard ${[...new Set(nodes.map(({ shard }) => shard))].join(', ')}`

/** As a word of its own, and not as the other end of the connection: `(127.0.0.1:9000, local address: 127.0.0.1:38060)`. */
function mentions(message: string, name: string): boolean {
  for (let at = message.indexOf(name); at >= 0; at = message.indexOf(name, at + 1)) {
    const before = message.slice(0, at)
    const after = message.slice(at + name.length)
    if (!/[\w.-]$/.test(before) && !/^\d/.test(after) && !before.endsWith('local address: ')) return true
  }
  return false
}
