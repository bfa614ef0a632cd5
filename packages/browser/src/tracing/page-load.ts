/** The page load: where its trace comes from, when it began, and what the browser did before any script ran. */
import type { TraceState } from '../types.ts'
import type { Tracer } from './tracer.ts'

type NavigationEntry = PerformanceNavigationTiming & { readonly activationStart?: number }

export const navigationEntry = (): NavigationEntry | undefined =>
  performance.getEntriesByType('navigation')[0]

/** Phases of the page's own request, by the entry's names; the last of each pair is upstream's name for it. */
const PHASES = [
  ['unloadEvent'],
  ['redirect'],
  ['domainLookup', 'DNS'],
  ['connect'],
  ['request'],
  ['response'],
  ['domContentLoadedEvent'],
  ['loadEvent'],
] as const

/** What was not (a redirect) or took no time is left out; of a prerendered page, what nobody waited for. */
export function addPagePhases(tracer: Tracer): void {
  const entry = navigationEntry() as unknown as Record<string, number> | undefined
  for (const [phase, name = phase] of PHASES) {
    const startMs = entry?.[`${phase}Start`]
    const endMs = entry?.[`${phase}End`] ?? entry?.['responseStart']
    if (startMs && endMs! > startMs) tracer.add(`browser.${name}`, location.pathname, startMs, {}, endMs)
  }
}

/**
 * The trace that the server began when it rendered the page: meta tags, else `Server-Timing`. Empty when there is none.
 * https://develop.sentry.dev/sdk/telemetry/traces/#continue-trace
 */
export function continuedTrace(): Partial<TraceState> {
  const read = (name: string): string =>
    document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ??
    navigationEntry()?.serverTiming?.find((timing) => timing.name === name)?.description ??
    ''
  const [, traceId, parentSpanId, flag] =
    /^\s*(\w{32})-(\w{16})-?([01])?\s*$/.exec(read('sentry-trace')) ?? []
  if (!traceId) return {}
  const dsc: Record<string, string> = {}
  try {
    for (const [, key, value] of read('baggage').matchAll(/\bsentry-(\w+)=([^,;]*)/g))
      dsc[key!] = decodeURIComponent(value!)
  } catch {
    // Badly encoded: what was read so far.
  }
  const { sample_rand: sampleRand } = dsc
  return {
    traceId,
    parentSpanId: parentSpanId!,
    dsc,
    ...(flag && { sampled: flag === '1' }),
    // Undecided so far: the same number decides here as everywhere else.
    ...(sampleRand && { sampleRand }),
  }
}
