/**
 * The way out when page data cannot be had: the browser loads the page itself (N8), and never in a
 * loop. A document that nobody has touched may not send the browser to a URL it was itself sent to a
 * moment ago, nor be one of many in a row; then the fall-back page is shown instead.
 */
export type HardNavigationEnvironment = {
  /** The document's own URL, without the fragment. */
  currentUrl(): string
  assign(url: string): void
  /** For a URL the address bar shows already (back and forward): assigning it might only scroll. */
  reload(url: string): void
  /** Whether a person has clicked or typed in this document. */
  wasTouched(): boolean
  readonly nowMs: () => number
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
}

const STORAGE_KEY = 'router-full-loads'
/** A loop repeats as fast as pages load; half a minute covers slow ones. */
const WINDOW_MS = 30_000
const MAX_UNTOUCHED_IN_WINDOW = 4

type Entry = { readonly url: string; readonly atMs: number }

/** Returns false when the load would be part of a loop and was not started. */
export function createHardNavigation(environment: HardNavigationEnvironment): (url: string) => boolean {
  return (url) => {
    const recent = environment.wasTouched() ? [] : readRecent(environment)
    if (recent.length >= MAX_UNTOUCHED_IN_WINDOW || recent.some((entry) => entry.url === url)) return false
    writeRecent(environment, [...recent, { url, atMs: environment.nowMs() }])
    if (withoutFragment(url) === environment.currentUrl()) environment.reload(url)
    else environment.assign(url)
    return true
  }
}

function withoutFragment(url: string): string {
  return url.split('#')[0] ?? url
}

function readRecent({ storage, nowMs }: HardNavigationEnvironment): Entry[] {
  try {
    const entries = JSON.parse(storage.getItem(STORAGE_KEY) ?? '[]') as Entry[]
    return entries.filter((entry) => nowMs() - entry.atMs < WINDOW_MS)
  } catch {
    return []
  }
}

function writeRecent({ storage }: HardNavigationEnvironment, entries: Entry[]): void {
  try {
    storage.setItem(STORAGE_KEY, JSON.stringify(entries))
  } catch {
    // Storage may be full or switched off; the guard is then only as good as the page's own restraint.
  }
}

export function browserEnvironment(window: Window & typeof globalThis): HardNavigationEnvironment {
  return {
    currentUrl: () => withoutFragment(window.location.href),
    assign: (url) => window.location.assign(url),
    reload(url) {
      window.history.replaceState(window.history.state, '', url)
      window.location.reload()
    },
    wasTouched: () => window.navigator.userActivation?.hasBeenActive ?? true,
    nowMs: () => Date.now(),
    storage: window.sessionStorage,
  }
}
