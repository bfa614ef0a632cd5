/** Style sheets that a vital waited for, or that had just come: browsers tell elements and pictures, not rules. */
import { describeUrl } from '../tracing/entry-spans.ts'

type Resource = PerformanceResourceTiming & { readonly renderBlockingStatus?: string }

/** The one that ended last. */
const lastOf = (fits: (entry: Resource) => unknown): Resource | undefined =>
  (performance.getEntriesByType('resource') as Resource[])
    .filter(fits)
    .sort((a, b) => a.responseEnd - b.responseEnd)
    .pop()

export const pathOf = (address: string): string => describeUrl(new URL(address)).slice(0, 200)

/** The last one without which nothing was rendered. Chromium, and Safari from 18.2, say which that are. */
export const blockingSheet = (untilMs: number): Resource | undefined =>
  lastOf(
    ({ renderBlockingStatus, initiatorType, responseEnd }) =>
      renderBlockingStatus === 'blocking' && initiatorType !== 'script' && responseEnd <= untilMs,
  )

// A font or a sheet is used in the frame after it came, or in the next one where a script runs meanwhile.
const JUST_MS = 100
const STYLE = /\.(css|woff2?|ttf|otf)$/

/** The font or style sheet that had just come; undefined where anything else had come too, which may be the reason. */
export function justCame(atMs: number): string | undefined {
  const came = ({ responseEnd }: Resource): boolean => responseEnd <= atMs && responseEnd > atMs - JUST_MS
  const isStyle = ({ name }: Resource): boolean =>
    STYLE.test(pathOf(name)) || [...document.styleSheets].some(({ href }) => href === name)
  return lastOf((entry) => came(entry) && !isStyle(entry)) ? undefined : lastOf(came)?.name
}

/** Rules that are looked at: applications have some thousand. */
const MAX_RULES = 5000

/** Path of the style sheet that names a picture or a font. Those of other origins cannot be read. */
export function sheetNaming(address: string): string | undefined {
  let left = MAX_RULES
  for (const sheet of document.styleSheets) {
    const { href } = sheet
    try {
      // Of a group, as `@media`, the text holds all of its rules.
      for (const { cssText } of href ? sheet.cssRules : [])
        for (const [, url] of left-- > 0 ? cssText.matchAll(/url\("([^"]+)/g) : [])
          if (new URL(url!, href!).href === address) return pathOf(href!)
    } catch {
      // Of another origin, or an address that is none.
    }
  }
  return undefined
}
