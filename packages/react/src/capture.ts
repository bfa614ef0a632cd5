/** An error that React tells of, with the components that led to it. */
import { captureException, getClient } from '@sonde/browser'

// The root's handler hears of an error before the boundary does, and only the first report of it is sent.
const ids = new WeakMap<object, string>()

/** The id of the error's event, also when it was sent before; undefined when it was not. The error stays as it is. */
export function captureReactError(
  error: unknown,
  componentStack: string | null | undefined,
  { type, handled }: { readonly type: string; readonly handled: boolean },
): string | undefined {
  const id = captureException(error, {
    mechanism: { type, handled },
    contexts: { react: { componentStack: componentStack ?? undefined } },
  })
  if (!(error instanceof Object)) return id
  if (id) ids.set(error, id)
  return ids.get(error)
}

/** Whatever failed for this error was seen by a person. */
export function tellShown(error: unknown): void {
  getClient()?.emit('errorShown', error)
}
