/**
 * Grouping, version 2: version 1 of an event in which what depends on the engine, on where React caught the error and on
 * how deep a recursion went is replaced by what it means. An event in which nothing of that is keeps its hash of version 1.
 * FROZEN like version 1 (test/group/v2-frozen.test.ts). Explained in docs/internals/grouping.md.
 */
import type { Exception, GroupingTrace } from '@sonde/protocol/event'
import { isDefault, resolveFingerprint } from '../v1/fingerprint.ts'
import { type GroupedEvent, groupV1 } from '../v1/group-v1.ts'
import { engineFree } from './engine-free.ts'
import { withoutRecursion } from './recursion.ts'

/** Pure. The result always has at least one hash: 32 lower hex. */
export function groupV2(event: GroupedEvent): GroupingTrace {
  const fingerprint = event.fingerprint ?? []
  const isOwn = fingerprint.length > 0 && !fingerprint.every(isDefault)
  // Without the default nothing of what is replaced is looked at.
  if (isOwn && !fingerprint.some(isDefault)) return { ...groupV1(event), version: 'v2' }
  const plain: GroupedEvent = { ...event, ...(event.exception && { exception: plainChain(event.exception) }) }
  return {
    ...groupV1(isOwn ? { ...plain, fingerprint: resolved(fingerprint, event) } : plain),
    version: 'v2',
  }
}

/** Variables are filled in from the event as it came. */
const resolved = (fingerprint: readonly string[], event: GroupedEvent): readonly string[] =>
  fingerprint.map((value) =>
    isDefault(value) ? value : (resolveFingerprint([value], event)[0] ?? '').replaceAll('{{', '{ {'),
  )

/** What `componentDidCatch` adds to an error: the components above it, which say where it was caught. */
const REACT_BOUNDARY = /^React ErrorBoundary /

function plainChain(chain: readonly Exception[]): readonly Exception[] {
  const own = chain.filter(({ type }) => !REACT_BOUNDARY.test(type ?? ''))
  return (own.length > 0 ? own : chain).map((exception) => withoutRecursion(engineFree(exception)))
}
