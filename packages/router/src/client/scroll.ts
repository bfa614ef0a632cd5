/** How far pages were scrolled, so that going back shows them as they were left. */

import type { Location } from './location.ts'

export type ScrollPositions = {
  of(key: string): number | undefined
  save(key: string): void
}

/** What a page does when it is shown: go to where it was left, to its fragment, to its start, or nothing. */
export type ScrollTo = number | 'fragment' | 'fragment-or-start' | 'nowhere'

const STORAGE_KEY = 'router-scroll-positions'

/** `currentKey`: of the visit that is shown; undefined while another one is under way. */
export function keepScrollPositions(window: Window, currentKey: () => string | undefined): ScrollPositions {
  const positions = readStored(window)
  const save = (key: string): void => void positions.set(key, window.scrollY)
  window.history.scrollRestoration = 'manual'
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.history.scrollRestoration = 'manual'
  })
  window.addEventListener('pagehide', () => {
    const key = currentKey()
    if (key !== undefined) save(key)
    try {
      window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions]))
    } catch {
      // Full or switched off: pages that are loaded again begin at their start.
    }
    // The next document is the browser's to place, this one too when it is loaded again.
    window.history.scrollRestoration = 'auto'
  })
  return { of: (key) => positions.get(key), save }
}

function readStored(window: Window): Map<string, number> {
  try {
    return new Map(JSON.parse(window.sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, number][])
  } catch {
    return new Map()
  }
}

export function scrollPage(to: ScrollTo, { hash }: Location): void {
  if (to === 'nowhere') return
  const target = hash === '' || typeof to === 'number' ? null : elementOf(hash)
  if (target) target.scrollIntoView()
  else if (to !== 'fragment') window.scrollTo(0, typeof to === 'number' ? to : 0)
}

function elementOf(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)))
  } catch {
    return null
  }
}
