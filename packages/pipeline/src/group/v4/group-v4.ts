/**
 * Grouping, version 4: version 3, and a hydration error of React is grouped by route and component. React's words are the same
 * for all of them, and their stack is React's own. FROZEN like the versions before (test/group/v4.test.ts). Explained in
 * docs/internals/grouping.md.
 */
import type { GroupingTrace } from '@sonde/protocol/event'
import { isDefault, resolveFingerprint } from '../v1/fingerprint.ts'
import { type GroupedEvent, groupV1 } from '../v1/group-v1.ts'
import { groupV3 } from '../v3/group-v3.ts'
import { hydrationFailureOf } from './hydration-failure.ts'

/** Pure. The result always has at least one hash: 32 lower hex. */
export function groupV4(event: GroupedEvent): GroupingTrace {
  const fingerprint = event.fingerprint ?? []
  const isOwn = fingerprint.length > 0 && !fingerprint.every(isDefault)
  const isTold = (isOwn && !fingerprint.some(isDefault)) || (!isOwn && (event.checksum ?? '') !== '')
  const failure = isTold ? undefined : hydrationFailureOf(event)
  if (failure === undefined) return { ...groupV3(event), version: 'v4' }
  const { kind, route, component } = failure
  // The fingerprint of `@sonde/react`: events of both SDKs meet.
  const own = [`hydration-${kind}`, route, component].map(plain)
  const values = isOwn ? fingerprint.flatMap((each) => (isDefault(each) ? own : resolved(each, event))) : own
  const { parts, ...trace } = groupV1({ ...event, fingerprint: values })
  if (isOwn) return { ...trace, parts, version: 'v4' }
  return {
    ...trace,
    version: 'v4',
    basis: 'hydration',
    parts: [
      { from: 'kind', value: kind },
      { from: 'route', value: route },
      { from: 'component', value: component },
    ],
  }
}

/** What a page may call itself is no variable. */
const plain = (value: string): string => value.replaceAll('{{', '{ {')
const resolved = (value: string, event: GroupedEvent): readonly string[] => [
  plain(resolveFingerprint([value], event)[0] ?? ''),
]
