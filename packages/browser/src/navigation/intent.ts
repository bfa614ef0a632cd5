/** What a person did just now, which tells a click from code that navigates by itself. */
import type { NavigationTrigger } from '@sonde/protocol/navigation'

export type Intent = { readonly trigger: NavigationTrigger; readonly atMs: number }

// From our listener, which runs before the page's, to the router: the same task or one soon after it.
const WINDOW_MS = 100

type NavigationApi = EventTarget & { readonly currentEntry: { readonly index: number } | null }

export type Intents = {
  /** Asking uses it up: a navigation that code starts right after one by a click is no click. */
  take(): Intent | undefined
  /** Which way the history went last. */
  traversal(): NavigationTrigger
}

export function watchIntent(): Intents {
  let last: (Intent & { seenMs: number }) | undefined
  let trigger: NavigationTrigger = 'back'
  const note = (event: Event, why: NavigationTrigger): void => {
    if (event.isTrusted) last = { trigger: why, atMs: event.timeStamp, seenMs: performance.now() }
  }
  for (const type of ['click', 'submit'] as const) addEventListener(type, (event) => note(event, type), true)
  addEventListener('popstate', (event) => note(event, trigger), true)
  // Without the Navigation API forward cannot be told from back.
  const { navigation } = window as unknown as { navigation?: NavigationApi }
  navigation?.addEventListener('currententrychange', (event) => {
    const { from } = event as unknown as { from: { index: number } }
    trigger = navigation.currentEntry!.index > from.index ? 'forward' : 'back'
  })
  return {
    take() {
      const intent = last && performance.now() - last.seenMs < WINDOW_MS ? last : undefined
      last = undefined
      return intent
    },
    traversal: () => trigger,
  }
}
