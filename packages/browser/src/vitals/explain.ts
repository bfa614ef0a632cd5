/** Why a vital has its value: attributes by the protocol's names, `browser.web_vital.<name>.*`. */
import type { CLSMetric, INPMetric, LCPMetric, MetricType } from 'web-vitals'
import { componentOf } from '../page/component.ts'
import { selectorOf } from '../page/selector.ts'
import { scriptData } from '../tracing/entry-spans.ts'
import { navigationEntry } from '../tracing/page-load.ts'
import type { Primitive } from '../types.ts'
import type { RecentFrames } from './recent-frames.ts'
import { blockingSheet, justCame, pathOf, sheetNaming } from './style-sheets.ts'

type Values = Record<string, Primitive>

export type Explanation = {
  readonly op: string
  /** What the value measures begins here, on the page's clock. */
  readonly startMs: number
  readonly element?: string | undefined
  /** Without the prefix. */
  readonly values: Values
  /** The script that took longest, by its full names. Looked up again when it is sent: frames are told late. */
  readonly script?: () => Values | undefined
}

/** The entry that decides the value: while it stays, the explanation does. */
export function decisiveEntry({ name, entries }: MetricType): PerformanceEntry | undefined {
  if (name === 'CLS') return entries.reduce((a, b) => (b.value > a.value ? b : a), entries[0]!)
  return name === 'LCP' ? entries.at(-1) : entries[0]
}

/** Elements are looked at now: later they may be gone. `pageMs`: when the page, or soft navigation, began. */
export function explain(metric: MetricType, pageMs: number, frames: RecentFrames): Explanation {
  const entry = decisiveEntry(metric)
  const other = { op: `ui.webvital.${metric.name.toLowerCase()}`, startMs: pageMs }
  if (!entry) return { ...other, values: {} }
  switch (metric.name) {
    case 'LCP':
      return { ...other, ...aboutLcp(entry as LCPMetric['entries'][0], metric, pageMs) }
    case 'INP':
      return aboutInp(metric.entries, frames)
    case 'CLS':
      return { ...other, ...aboutShift(entry as CLSMetric['entries'][0]) }
    case 'TTFB': {
      const { requestStart, responseStart } = entry as PerformanceNavigationTiming
      return { ...other, values: { request_time: requestStart ? responseStart - requestStart : undefined } }
    }
    default:
      return { ...other, values: {} }
  }
}

/**
 * The four parts of https://web.dev/articles/optimize-lcp#lcp-breakdown, and of the last one until when a style sheet kept
 * the page from being rendered.
 */
function aboutLcp(entry: LCPMetric['entries'][0], { value, navigationType }: LCPMetric, pageMs: number) {
  const { url, id, size, loadTime, renderTime, startTime } = entry
  const element = selectorOf(entry.element) || (id && `#${id}`)
  const resource = (performance.getEntriesByName(url, 'resource') as PerformanceResourceTiming[])
    .filter((one) => one.startTime <= startTime)
    .at(-1)
  const sinceMs = (ms = 0): number => Math.max(0, ms - pageMs)
  const firstByte = navigationType === 'soft-navigation' ? 0 : sinceMs(navigationEntry()?.responseStart)
  const loadStart = Math.max(firstByte, sinceMs(resource && (resource.requestStart || resource.startTime)))
  const loadEnd = Math.min(value, Math.max(loadStart, sinceMs(resource?.responseEnd)))
  const sheet = blockingSheet(startTime)
  const sheetMs = sheet ? sinceMs(sheet.responseEnd) - loadEnd : 0
  const values: Values = {
    element,
    ...componentOf(entry.element),
    // A picture without an element that is one.
    url_stylesheet: url && entry.element && !('src' in entry.element) ? sheetNaming(url) : undefined,
    ...(sheetMs > 0 && { stylesheet: pathOf(sheet!.name), stylesheet_delay: sheetMs }),
    id: id || undefined,
    url: url.slice(0, 200) || undefined,
    size,
    load_time: loadTime || undefined,
    render_time: renderTime || undefined,
    time_to_first_byte: firstByte,
    resource_load_delay: loadStart - firstByte,
    resource_load_duration: loadEnd - loadStart,
    element_render_delay: value - loadEnd,
  }
  return { element, values }
}

function aboutInp(entries: INPMetric['entries'], frames: RecentFrames): Explanation {
  const { name, startTime: startMs } = entries[0]!
  const target = entries.find((one) => one.target)?.target ?? frames.pressed(startMs)
  const element = selectorOf(target)
  const { inputDelay, processing, presentation } = frames.phases(entries)
  return {
    op: `ui.interaction.${name.startsWith('key') ? 'press' : 'click'}`,
    startMs,
    element,
    values: {
      element,
      ...componentOf(target),
      input_delay: inputDelay,
      processing_duration: processing,
      presentation_delay: presentation,
    },
    script() {
      const script = frames.longestScript(startMs, startMs + inputDelay + processing)
      return (
        script && {
          ...scriptData(script),
          'browser.script.duration': script.duration,
        }
      )
    },
  }
}

function aboutShift({ startTime: startMs, sources, value }: CLSMetric['entries'][0]) {
  const came = justCame(startMs)
  const values: Values = {
    ...componentOf(sources[0]?.node),
    late_resource: came && pathOf(came),
    url_stylesheet: came && sheetNaming(came),
    largest_shift_value: value,
    largest_shift_time: startMs,
  }
  const elements = sources.map(({ node }) => selectorOf(node)).filter(Boolean)
  elements.forEach((element, index) => (values[`source.${index + 1}`] = element))
  return { startMs, element: elements[0], values }
}
