/**
 * What the router does, for whoever measures it. Only the browser emits; a listener that throws is
 * reported and does not disturb the navigation.
 */
import type { FailureReason } from './fetch-page.ts'

export type RouterEvent =
  /** The router runs on the page that the server rendered. */
  | { readonly type: 'ready'; readonly url: string; readonly template: string | null }
  /** `template` is null when no page matches. */
  | { readonly type: 'navigation-start'; readonly url: string; readonly template: string | null }
  | { readonly type: 'navigation-redirect'; readonly url: string; readonly to: string }
  | {
      readonly type: 'navigation-end'
      readonly url: string
      readonly template: string | null
      readonly status: number
    }
  /** Another navigation took its place. */
  | { readonly type: 'navigation-superseded'; readonly url: string }
  /** The browser loads the page instead of the router (N8). */
  | { readonly type: 'full-load'; readonly url: string; readonly reason: FailureReason }
  | {
      readonly type: 'prefetch'
      readonly url: string
      readonly template: string
      readonly why: 'view' | 'intent'
    }
  /** `staleAfterMs` is 0 for data that is gone already: of dynamic pages, and what could not be had. */
  | { readonly type: 'prefetch-end'; readonly url: string; readonly staleAfterMs: number }
  | { readonly type: 'prefetch-joined'; readonly url: string }
  | { readonly type: 'prefetch-bumped'; readonly url: string }
  | { readonly type: 'cache-hit'; readonly url: string; readonly ageMs: number }
  | { readonly type: 'post'; readonly url: string; readonly outcome: string }
  | { readonly type: 'revalidation-failed'; readonly url: string; readonly reason: FailureReason }
  /** The server answered with another build than this page's. */
  | { readonly type: 'new-build' }
  /** What the fall-back page is shown for. */
  | { readonly type: 'error'; readonly error: unknown; readonly digest?: string }

const listeners = new Set<(event: RouterEvent) => void>()

/** Returns what ends it. Listening on the server hears nothing. */
export function onRouterEvent(listener: (event: RouterEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function emit(event: RouterEvent): void {
  for (const listener of listeners) {
    try {
      listener(event)
    } catch (error) {
      globalThis.reportError?.(error)
    }
  }
}
