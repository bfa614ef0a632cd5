/** Spans from what the browser measured by itself. Entries are over when they are seen. */
import { debugIds } from '../errors/stack.ts'
import { observeEntries } from '../page/observe-entries.ts'
import type { Client } from '../types.ts'
import { type Data, epochSec, type Span, type Tracer } from './tracer.ts'

const FRAME = 'long-animation-frame'

/** A request of the page that has its span already, or undefined. */
export type FindRequest = (entry: PerformanceResourceTiming) => Span | undefined

/** Returns what hands on the entries that the browser still holds back. */
export function watchEntries(client: Client, tracer: Tracer, findRequest: FindRequest): () => void {
  const take = (entries: PerformanceEntryList): void => {
    for (const entry of entries as PerformanceResourceTiming[]) {
      const { entryType, name, startTime, duration } = entry
      const endMs = startTime + duration
      if (entryType === FRAME) {
        const { scripts } = entry as unknown as PerformanceLongAnimationFrameTiming
        const [script] = [...scripts].sort((a, b) => b.duration - a.duration)
        tracer.add(
          `ui.${FRAME}`,
          'Main UI thread blocked',
          startTime,
          script ? scriptData(script) : {},
          endMs,
        )
      } else if (entryType !== 'resource') tracer.add(entryType, name, startTime, {}, endMs)
      else if (!client.owns(name)) {
        const data = resourceData(entry)
        const request = findRequest(entry)
        if (request) {
          Object.assign(request.data, data)
          // Until it is answered it may still fail: the browser tells of what it gave up, too.
          if (request.timestamp) tracer.end(request, endMs)
        } else
          tracer.add(`resource.${entry.initiatorType}`, describeUrl(new URL(name)), startTime, data, endMs)
      }
    }
  }
  return observeEntries(['resource', FRAME, 'paint', 'mark', 'measure'], take, { buffered: true })
}

/** Sizes are 0 for other origins without `Timing-Allow-Origin`; then they are not known. */
function resourceData(entry: PerformanceResourceTiming): Data {
  const data: Data = {
    'http.response_transfer_size': entry.transferSize || undefined,
    'http.response_content_length': entry.encodedBodySize || undefined,
    'http.decoded_response_content_length': entry.decodedBodySize || undefined,
    'http.response.status_code': entry.responseStatus || undefined,
    'resource.render_blocking_status': (entry as { renderBlockingStatus?: string }).renderBlockingStatus,
  }
  const times = entry.toJSON() as Record<string, number>
  for (const name in times) {
    // A phase that took no time (connection kept, nothing looked up) begins with the fetch.
    if (/(Start|End)$/.test(name) && times[name]! > entry.fetchStart)
      data[
        `http.request.${name.replace('connectE', 'connectionE').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
      ] = epochSec(times[name]!)
  }
  return data
}

/** By the address of a file; empty: it has none. Kept: there may be hundreds of files, and as many long frames. */
const idOf: Record<string, string> = {}

export const scriptData = (script: PerformanceScriptTiming): Data => ({
  'browser.script.invoker': script.invoker,
  'browser.script.source_char_position': script.sourceCharPosition,
  'browser.script.forced_style_and_layout_duration': script.forcedStyleAndLayoutDuration || undefined,
  'browser.script.debug_id': (idOf[script.sourceURL] ??= debugIds()[script.sourceURL] ?? '') || undefined,
  'code.filepath': script.sourceURL,
  'code.function': script.sourceFunctionName,
})

/**
 * Path of the page's own URLs, origin and path of others; only the scheme of what carries its content in itself. Never
 * the query, the fragment or a password: they may hold anything.
 */
export const describeUrl = ({ origin, protocol, pathname }: URL): string =>
  origin === location.origin ? pathname : protocol.startsWith('http') ? origin + pathname : protocol
