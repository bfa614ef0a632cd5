/** Why a router handed a navigation to the browser, in words, and what to do about it. */
export type FullLoadReason = {
  readonly title: string
  readonly why: string
  readonly todo: string
}

const REASONS: Readonly<Record<string, FullLoadReason>> = {
  timeout: {
    title: 'Page data took too long',
    why: 'The router waits for page data for a few seconds and then lets the browser load the page.',
    todo: 'Look at what the server does for these routes: their traces show it. Then at how far away it is.',
  },
  network: {
    title: 'No answer for page data',
    why: 'The request failed without an answer: offline, a dropped connection, or a blocker.',
    todo: 'Many at once point to an outage or a proxy; single ones to people’s connections. Compare by connection and country.',
  },
  server: {
    title: 'The server failed',
    why: 'Page data was answered with an error of the server (5xx), or by something between it and the page.',
    todo: 'The failed requests are listed under page data, with their status and the issue on the server.',
  },
  build: {
    title: 'A new release is out',
    why: 'The server answered with another build than the tab runs, so the page is loaded anew. That is as it should be.',
    todo: 'Nothing, unless there are many: then releases are frequent or tabs stay open for long.',
  },
  chunk: {
    title: 'Code could not be loaded',
    why: 'A file of the route’s code was missing. After a deployment the old ones usually are.',
    todo: 'Keep the files of the last releases for as long as tabs stay open; see the card about old builds.',
  },
  'no-route': {
    title: 'Not a page of the application',
    why: 'The address matches no route of the router, so it belongs to another application or does not exist.',
    todo: 'Make links out of the application plain ones. If it should exist, the tab may run an older route table.',
  },
  'content-type': {
    title: 'Something else answered',
    why: 'What came was no page data: a sign-in page, a page of a proxy, or HTML of a cache.',
    todo: 'Look at what stands between page and server for these routes: sessions that end, captive portals, caches.',
  },
  json: {
    title: 'Page data could not be read',
    why: 'The answer was cut off or damaged on its way.',
    todo: 'Look for proxies that cut long answers, and for servers that stop in the middle.',
  },
  origin: {
    title: 'Redirected to another site',
    why: 'Page data was redirected to another origin, which only the browser can follow.',
    todo: 'Nothing, if that is intended: sign-in elsewhere, a payment. Else look at the redirect.',
  },
}

const UNTOLD: FullLoadReason = {
  title: 'Nobody said why',
  why: 'Code of the page sent the browser to another document while a navigation was under way.',
  todo: 'Look for location.assign, location.reload and links without the router; tell the reason with activeNavigations()?.end("full_load", "…").',
}

/** A word of another router is shown as it is. */
export function explainFullLoad(reason: string): FullLoadReason {
  if (reason === '') return UNTOLD
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  return (
    known ?? {
      title: reason,
      why: 'In the router’s own words.',
      todo: 'Its documentation says when it does that.',
    }
  )
}

export const KNOWN_REASONS = Object.keys(REASONS)
