/** Which build the tab runs, and that it is still there: one small span for each page load, sent again as time goes on. */
import { TAB_BEAT_MS, TAB_OP, TAB_PREFIX } from '@sonde/protocol/navigation'
import { activeNavigations, entryName } from '../navigation/navigations.ts'
import { type LooseSpan, toItem } from '../navigation/spans.ts'
import { isCrawler, whenVisited } from '../page/crawlers.ts'
import { observeEntries } from '../page/observe-entries.ts'
import { randomHex } from '../random-hex.ts'
import type { Feature } from '../types.ts'
import { keepTabId } from './tab-id.ts'

export type TabsOptions = {
  /** What runs in the page. Default: that of `navigations()`, else the release, else the file name of the first module script. */
  readonly build?: string
}

/** Add it after `navigations()` where both are there: their spans go out together. */
export const tabs =
  ({ build }: TabsOptions = {}): Feature =>
  (client) => {
    if (isCrawler()) return
    const id = keepTabId()
    const page = randomHex(8)
    client.tab = { id, page }
    const recorder = activeNavigations()
    const own = build ?? recorder?.build ?? client.options.release ?? entryName()
    let sentMs = -Infinity
    /** What could not be loaded last, and whether it was there after all. */
    let failed: { readonly url: string; readonly to: string | undefined; readonly atMs: number } | undefined
    let recovered = false
    let timer: ReturnType<typeof setTimeout> | undefined

    const beat = (): void => {
      // Not `performance.now()`: it stands still while the computer sleeps, and a tab gets old over night.
      sentMs = Date.now()
      clearTimeout(timer)
      timer = setTimeout(() => document.hidden || beat(), TAB_BEAT_MS)
      const span: LooseSpan = {
        traceId: client.trace.traceId,
        spanId: page,
        op: TAB_OP,
        prefix: TAB_PREFIX,
        name: own ?? '',
        startMs: 0,
        endMs: sentMs - performance.timeOrigin,
        attributes: { id, build: own, recovered },
      }
      if (recorder) recorder.write(span)
      else client.send([toItem(client, [span])])
    }
    const look = (): void => {
      if (!document.hidden && Date.now() - sentMs >= TAB_BEAT_MS) beat()
    }
    whenVisited(() => {
      look()
      document.addEventListener('visibilitychange', look)
    })

    const settle = (isThere: boolean): void => {
      if (recovered === isThere) return
      recovered = isThere
      beat()
    }
    client.on('chunkFailed', (failure) => {
      failed = { ...failure, atMs: performance.now() }
      settle(false)
    })
    client.on('navigation', ({ state, to, outcome, start }) => {
      const isRetry = failed && to === failed.to && start > failed.atMs
      if (isRetry && state === 'end' && outcome === 'committed') settle(true)
    })
    // What was under way when it failed is the failure itself: servers of single-page apps answer it with 200.
    watchScripts(({ name, startTime }) => {
      if (name === failed?.url && startTime > failed.atMs) settle(true)
    })
  }

/** Code and style sheets that came. What the reporter fetches to learn why a file is missing is no such load. */
function watchScripts(loaded: (entry: PerformanceEntry) => void): void {
  observeEntries(['resource'], (entries) => {
    for (const entry of entries as PerformanceResourceTiming[]) {
      const { initiatorType, responseStatus } = entry
      if (initiatorType !== 'fetch' && responseStatus >= 200 && responseStatus < 300) loaded(entry)
    }
  })
}
