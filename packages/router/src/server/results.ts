/**
 * How a `load` or `action` ends other than by returning data. The helpers throw, so `redirect(…)`,
 * `throw redirect(…)` and `return redirect(…)` all work and the types narrow.
 *
 * Marked with registered symbols rather than classes: the page handler and the bundled server build
 * hold two copies of this module, and `instanceof` would not see across.
 */
const REDIRECT = Symbol.for('sonde.router.redirect')
const HTTP_ERROR = Symbol.for('sonde.router.http-error')
const INVALID = Symbol.for('sonde.router.invalid')

/** N7. 303: go there with GET. 307 and 308: go there with the same method, 308 for good. */
export type RedirectStatus = 303 | 307 | 308

export type Redirect = {
  readonly url: string
  readonly status: RedirectStatus | undefined
  /** A post from the page goes on with a new document, not with data for the one that is open. */
  readonly asDocument: boolean
}
export type HttpError = { readonly status: number }
/** An action's refusal of what was typed; the page is shown again with status 422. */
export type Invalid<Data> = { readonly data: Data; readonly [INVALID]: true }

/** Ends the load or action. Without a status: 303 after an action, 307 from a load. */
export function redirect(url: string, status?: RedirectStatus): never {
  throw Object.assign(new Error(`redirect to ${url}`), { [REDIRECT]: true, url, status, asDocument: false })
}

/**
 * Ends an action that changes who the document is for: 303, and a page that posted with its script loads the target
 * whole. What the document's head said, and what its memory holds, ends with it.
 */
export function redirectWhole(url: string): never {
  throw Object.assign(new Error(`redirect to ${url}`), {
    [REDIRECT]: true,
    url,
    status: 303,
    asDocument: true,
  })
}

/** Ends the load or action with the app's not-found page. */
export function notFound(): never {
  return httpError(404)
}

/** Ends the load or action: 4xx shows the app's not-found page with that status, 5xx the fall-back page. */
export function httpError(status: number): never {
  throw Object.assign(new Error(`HTTP ${status}`), { [HTTP_ERROR]: true, status })
}

/** Return it from an action: status 422, `useActionData` gives `data`, and the form keeps what was typed. */
export function invalid<Data>(data: Data): Invalid<Data> {
  return { data, [INVALID]: true }
}

export function isRedirect(value: unknown): value is Redirect {
  return isMarked(value, REDIRECT)
}

export function isHttpError(value: unknown): value is HttpError {
  return isMarked(value, HTTP_ERROR)
}

export function isInvalid(value: unknown): value is Invalid<unknown> {
  return isMarked(value, INVALID)
}

function isMarked(value: unknown, mark: symbol): boolean {
  return typeof value === 'object' && value !== null && mark in value
}
