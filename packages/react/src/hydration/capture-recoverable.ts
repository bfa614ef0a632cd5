/** Errors that React recovered from: an issue of the app, or a difference that nobody made who could mend it. */
import { captureException, componentOf, getClient, hydrationKind, mismatchedComponent } from '@sonde/browser'
import { meddler } from './benign.ts'
import type { Comparison } from './find-difference.ts'
import { type Mismatch, tellMismatch } from './tell-hydration.ts'

/** What was seen of the recovery. */
export type Watched = Pick<Mismatch, 'scope' | 'costMs'> & { readonly comparison: Comparison }
export type Watch = {
  look(): Watched
  /** After it was told. */
  onTold(mismatch: Mismatch): void
}

/** `watch` is asked about hydration alone. Returns what was told; undefined: it was another error. */
export function captureRecoverable(
  error: unknown,
  componentStack: string | null | undefined,
  watch?: Watch,
): Mismatch | undefined {
  const kind = hydrationKind(error)
  const mechanism = { type: 'react.recoverable', handled: true }
  const contexts = { react: { componentStack: componentStack ?? undefined } }
  if (!kind) {
    captureException(error, { level: 'warning', mechanism, contexts })
    return undefined
  }
  const trace = getClient()?.trace
  const route = trace?.name ?? location.pathname
  const { comparison, ...cost } = watch?.look() ?? { comparison: undefined }
  // Next.js hands on no stack; then the element in which it differs leads to its component.
  const component = componentStack ? mismatchedComponent(componentStack) : componentAt(comparison)
  const benign = kind === 'mismatch' ? benignCause(comparison) : undefined
  const found = comparison?.found ?? (comparison && { ...NOT_FOUND, node: '' })
  const told: Mismatch = { kind, component, ...cost, ...(benign ? { benign } : { found }) }
  // Counted, and never an issue: nobody who wrote the app can mend it.
  const eventId = benign
    ? undefined
    : captureException(error, {
        level: 'warning',
        mechanism,
        contexts: { ...contexts, hydration: { kind, route, component, ...found } },
        // React's text is the same for all of them; where it happened is what tells them apart.
        fingerprint: [`hydration-${kind}`, route, component],
        tags: { hydration: kind, 'hydration.component': component },
      })
  tellMismatch({ ...told, eventId }, trace)
  watch?.onTold(told)
  return told
}

const componentAt = (comparison: Comparison | undefined): string =>
  componentOf(comparison?.element).component ?? (comparison?.found?.node || 'unknown')

const NOT_FOUND = { difference: 'unknown', before: '', after: '' } as const

/**
 * A page that was translated differs everywhere. On one that an extension changed, a difference of the app's own is still
 * the app's; without one, or without a look at it, the extension is to blame.
 */
function benignCause(comparison: Comparison | undefined): Mismatch['benign'] {
  const cause = meddler(document)
  if (cause === 'translation') return cause
  const { found, benign } = comparison ?? {}
  // An attribute alone brings no error: it was something benign beside it.
  if (found && found.difference !== 'attribute') return undefined
  return [...(benign ?? [])].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? cause
}
