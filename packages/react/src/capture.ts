/** An error that React tells of, with the components that led to it. */
import { captureException, getClient } from '@sonde/browser'

/** The event's id, or undefined when it was not sent. The error itself stays as it is. */
export function captureReactError(
  error: unknown,
  componentStack: string | null | undefined,
  { type, handled }: { readonly type: string; readonly handled: boolean },
): string | undefined {
  return captureException(error, {
    mechanism: { type, handled },
    contexts: { react: { componentStack: componentStack ?? undefined } },
  })
}

/** Whatever failed for this error was seen by a person. */
export function tellShown(error: unknown): void {
  getClient()?.emit('errorShown', error)
}
