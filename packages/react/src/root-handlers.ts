/** `createRoot(element, reactErrorHandlers())` and `hydrateRoot(element, app, reactErrorHandlers())`. */
import { captureException, getClient } from '@sonde/browser'

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

/**
 * Why React could not keep the server's HTML. `mismatch`: the page renders something else; `server_error`: the server gave
 * up on a part, and the browser made it.
 */
type HydrationKind = 'mismatch' | 'server_error'

// Minified errors of React 18 and 19: https://react.dev/errors/418
const MISMATCH_CODES = ['418', '421', '422', '423', '424', '425']
const SERVER_CODES = ['419']
const MISMATCH_TEXT = /hydrat|did not match|server rendered (html|text)/i
const SERVER_TEXT = /server could not finish|switched to client rendering/i

/** Undefined for any other error that React recovered from. */
export function hydrationKind(error: unknown): HydrationKind | undefined {
  const text = String((error as Error | undefined)?.message ?? error)
  const code = /Minified React error #(\d+)/.exec(text)?.[1]
  if (code !== undefined) {
    return SERVER_CODES.includes(code)
      ? 'server_error'
      : MISMATCH_CODES.includes(code)
        ? 'mismatch'
        : undefined
  }
  return SERVER_TEXT.test(text) ? 'server_error' : MISMATCH_TEXT.test(text) ? 'mismatch' : undefined
}

/**
 * The component a mismatch is in, as the component stack names it first. Minified names change with every build and
 * would split what belongs together: then the element's, which does not.
 */
export function mismatchedComponent(componentStack: string | null | undefined): string {
  const names = (componentStack ?? '')
    .split('\n')
    .flatMap((line) => /^\s*(?:at )?([\w$.]+)(?=[ @(]|$)/.exec(line)?.[1] ?? [])
  return (
    names.find((name) => /^[A-Z]\w{2,}/.test(name)) ??
    names.find((name) => /^[a-z][\w-]*$/.test(name)) ??
    'unknown'
  )
}

/** What else changed the document before React came; the app is not to blame then. */
function meddler(document: Document): 'extension' | 'translation' | undefined {
  const { documentElement: html, body } = document
  if (/\btranslated-(ltr|rtl)\b/.test(html.className) || document.querySelector('font > font'))
    return 'translation'
  const names = [html, body].flatMap((element) => element?.getAttributeNames() ?? [])
  // Grammarly, ColorZilla, LanguageTool, Dark Reader, LastPass, password managers and shopping helpers.
  const isMarked = names.some((name) =>
    /^(data-(gr-|new-gr|lt-installed|darkreader|lastpass|gramm|bwi|np-)|cz-shortcut-listen|monica-|inject_)/.test(
      name,
    ),
  )
  const isInjected = document.querySelector(
    'grammarly-desktop-integration, [src^="chrome-extension:"], [src^="moz-extension:"], [href^="chrome-extension:"], [src^="safari-web-extension:"]',
  )
  return isMarked || isInjected ? 'extension' : undefined
}
