/** The route template by which an integration of the SDK for a router named a root span, for a path that it is of. */
import type { SentrySpan } from './sentry.ts'

/** `:id` of React Router and Vue, `[id]` of Next.js and SvelteKit, `$id` of TanStack, `*` and `**` of all. */
const PARAMETER = /^(?:[:[$*]|.*\*$)/
const REST = /^(?:\[+\.{3}|\$$|.*\*$)/

/**
 * Undefined: the name is no route's, or another path's. An SDK names its span before the address changes, after it, or much
 * later, so only what fits is taken.
 */
export function routeOf(span: SentrySpan, path: string): string | undefined {
  const { description, name = description, data, attributes = data } = span.getSpanJSON?.() ?? {}
  const source = attributes?.['sentry.segment.name.source'] ?? attributes?.['sentry.source']
  if (!name || source !== 'route') return undefined
  const segments = partsOf(path)
  const parts = partsOf(name)
  const rest = parts.findIndex((part) => REST.test(part))
  if (rest === -1 ? parts.length !== segments.length : segments.length < rest) return undefined
  const fixed = rest === -1 ? parts : parts.slice(0, rest)
  return fixed.every((part, index) => PARAMETER.test(part) || part === segments[index]) ? name : undefined
}

/** A slash at the end is none of its own. */
const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')
