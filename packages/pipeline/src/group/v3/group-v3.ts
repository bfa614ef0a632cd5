/**
 * Grouping, version 3: version 2, and an error of a request that got no answer is grouped by endpoint, route and cause, where
 * the event tells the request. "Failed to fetch" says nothing, and its stack ends in the wrapper that all requests go through.
 * FROZEN like the versions before (test/group/v3-frozen.test.ts). Explained in docs/internals/grouping.md.
 */
import type { GroupingTrace } from '@sonde/protocol/event'
import { isDefault, resolveFingerprint } from '../v1/fingerprint.ts'
import { type GroupedEvent, groupV1 } from '../v1/group-v1.ts'
import { groupV2 } from '../v2/group-v2.ts'
import { requestFailureOf } from './request-failure.ts'

/** Pure. The result always has at least one hash: 32 lower hex. */
export function groupV3(event: GroupedEvent): GroupingTrace {
  const fingerprint = event.fingerprint ?? []
  const isOwn = fingerprint.length > 0 && !fingerprint.every(isDefault)
  const isTold = (isOwn && !fingerprint.some(isDefault)) || (!isOwn && (event.checksum ?? '') !== '')
  const failure = isTold ? undefined : requestFailureOf(event)
  if (failure === undefined) return { ...groupV2(event), version: 'v3' }
  const { endpoint, route, cause } = failure
  const own = ['request', endpoint, route, cause].map(plain)
  const values = isOwn ? fingerprint.flatMap((each) => (isDefault(each) ? own : resolved(each, event))) : own
  const { parts, ...trace } = groupV1({ ...event, fingerprint: values })
  return isOwn
    ? { ...trace, parts, version: 'v3' }
    : {
        ...trace,
        version: 'v3',
        basis: 'request',
        parts: [
          { from: 'endpoint', value: endpoint },
          { from: 'route', value: route },
          { from: 'cause', value: cause },
        ],
      }
}

/** What a page may call itself is no variable. */
const plain = (value: string): string => value.replaceAll('{{', '{ {')
const resolved = (value: string, event: GroupedEvent): readonly string[] => [
  plain(resolveFingerprint([value], event)[0] ?? ''),
]
