/** `createRoot(element, reactErrorHandlers())` and `hydrateRoot(element, app, reactErrorHandlers())`. */
import { captureException, getClient } from '@sonde/browser'
import { captureRecoverable, type Watch } from './hydration/capture-recoverable.ts'

/** What React hands over beside the error; `errorBoundary` in React 19. */
export type RootErrorInfo = { readonly componentStack?: string | null | undefined }
type Handler = (error: unknown, info: RootErrorInfo) => void

export type ReactErrorHandlers = {
  /** React 19: a boundary shows something else. */
  readonly onCaughtError: Handler
  /** React 19: nobody caught it, and the root is empty now. */
  readonly onUncaughtError: Handler
  /** React 18 and 19: React tried again and it worked; hydration mismatches are among these. */
  readonly onRecoverableError: Handler
}

/**
 * What React would do without handlers is still done: caught errors go to the console, the others to the window, where
 * the reporter knows them and does not report them again. Handlers of the page are called after the report.
 */
export function reactErrorHandlers(own: Partial<ReactErrorHandlers> = {}): ReactErrorHandlers {
  return rootHandlers(own)
}

/** `watch`: what looks at the page while React recovers. */
export function rootHandlers(own: Partial<ReactErrorHandlers>, watch?: Watch): ReactErrorHandlers {
  return {
    onCaughtError(error, info) {
      captureReactError(error, info.componentStack, { type: 'react.caught', handled: true })
      tellShown(error)
      if (own.onCaughtError) own.onCaughtError(error, info)
      // oxlint-disable-next-line no-console -- as React does without a handler
      else console.error(error)
    },
    onUncaughtError(error, info) {
      captureReactError(error, info.componentStack, { type: 'react.uncaught', handled: false })
      tellShown(error)
      if (own.onUncaughtError) own.onUncaughtError(error, info)
      else reportError(error)
    },
    onRecoverableError(error, info) {
      const { benign } = captureRecoverable(error, info.componentStack, watch) ?? {}
      if (own.onRecoverableError) own.onRecoverableError(error, info)
      // At the window it would become an issue all the same, here and in other tools.
      // oxlint-disable-next-line no-console -- who looks for it finds it
      else if (benign) console.warn(`hydration differs: ${benign}`, error)
      else reportError(error)
    },
  }
}

// The root's handler hears of an error before the boundary does, and only the first report of it is sent.
const ids = new WeakMap<object, string>()

/**
 * Reports an error that React hands over, with the components that led to it. Returns the id of its event, also when it
 * was sent before; undefined when it was not. The error stays as it is.
 */
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
