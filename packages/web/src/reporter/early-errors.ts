/**
 * Keeps what goes wrong before the reporter is there: it comes in a chunk of its own after the page is usable, so that
 * it costs the page nothing.
 */
export type EarlyErrors = {
  /** What was thrown so far; nothing is kept from now on. */
  take(): readonly unknown[]
}

// More than this is one fault many times over.
const MAX_KEPT = 20

export function keepEarlyErrors(target: EventTarget = window): EarlyErrors {
  const kept: unknown[] = []
  const keep = (thrown: unknown): void => {
    if (kept.length < MAX_KEPT) kept.push(thrown)
  }
  const onError = (event: Event): void => {
    const { error, message } = event as ErrorEvent
    keep(error ?? message)
  }
  const onRejection = (event: Event): void => keep((event as PromiseRejectionEvent).reason)
  target.addEventListener('error', onError)
  target.addEventListener('unhandledrejection', onRejection)
  return {
    take() {
      target.removeEventListener('error', onError)
      target.removeEventListener('unhandledrejection', onRejection)
      return kept.splice(0)
    },
  }
}
