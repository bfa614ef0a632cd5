/** `createRoot(element, reactErrorHandlers())` and `hydrateRoot(element, app, reactErrorHandlers())`. */
import { captureException, getClient } from '@sonde/browser'
import { captureReactError, tellShown } from './capture.ts'
import { hydrationKind, meddler, mismatchedComponent } from './hydration.ts'

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
      captureRecoverable(error, info)
      if (own.onRecoverableError) own.onRecoverableError(error, info)
      else reportError(error)
    },
  }
}

function captureRecoverable(error: unknown, { componentStack }: RootErrorInfo): void {
  const kind = hydrationKind(error)
  const mechanism = { type: 'react.recoverable', handled: true }
  const contexts = { react: { componentStack: componentStack ?? undefined } }
  if (!kind) {
    captureException(error, { level: 'warning', mechanism, contexts })
    return
  }
  const component = mismatchedComponent(componentStack)
  const route = getClient()?.trace.name ?? location.pathname
  const cause = kind === 'mismatch' ? meddler(document) : undefined
  captureException(error, {
    // Somebody else changed the page: worth counting, not worth waking up for.
    level: cause ? 'info' : 'warning',
    mechanism,
    contexts: { ...contexts, hydration: { kind, route, component, benign: cause } },
    // React's text is the same for all of them; where it happened is what tells them apart.
    fingerprint: [`hydration-${kind}`, ...(cause ? [cause] : [route, component])],
    tags: {
      hydration: kind,
      'hydration.component': component,
      ...(cause ? { 'hydration.benign': cause } : {}),
    },
  })
}
