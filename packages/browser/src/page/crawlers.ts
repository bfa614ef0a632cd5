// Visits of theirs are not people's: Googlebot/2.1, AdsBot-Google, Baiduspider, Google-InspectionTool, facebookexternalhit, …
// Not every "bot": Cubot is a maker of phones.
const CRAWLERS = /bot[/-]|spider|slurp|-inspection|facebook(ext|bot)/i

export const isCrawler = (): boolean => CRAWLERS.test(navigator.userAgent)

/** Runs once somebody sees the page: at once, unless the browser only prepares it for a visit that may never come. */
export function whenVisited(run: () => void): void {
  if ((document as { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', run, { once: true })
  else run()
}
