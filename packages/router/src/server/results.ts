/**
 * How a `load` or `action` ends other than by returning data. The helpers throw, so `redirect(…)`,
 * `throw redirect(…)` and `return redirect(…)` all work and the types narrow.
 */

/** N7. 303: go there with GET. 307 and 308: go there with the same method, 308 for good. */
export type RedirectStatus = 303 | 307 | 308

export class Redirect extends Error {
  readonly url: string
  readonly status: RedirectStatus | undefined
  /** A post from the page goes on with a new document, not with data for the one that is open. */
  readonly asDocument: boolean

  constructor(url: string, status: RedirectStatus | undefined, asDocument = false) {
    super(`redirect to ${url}`)
    this.name = 'Redirect'
    this.url = url
    this.status = status
    this.asDocument = asDocument
  }
}

export class HttpError extends Error {
  readonly status: number

  constructor(status: number) {
    super(`HTTP ${status}`)
    this.name = 'HttpError'
    this.status = status
  }
}

/** An action's refusal of what was typed; the page is shown again with status 422. */
export class Invalid<Data> {
  readonly data: Data
  /** Tells the type from an answer that has `data` too. */
  readonly isInvalid = true

  constructor(data: Data) {
    this.data = data
  }
}

/** Ends the load or action. Without a status: 303 after an action, 307 from a load. */
export function redirect(url: string, status?: RedirectStatus): never {
  throw new Redirect(url, status)
}

/**
 * Ends an action that changes who the document is for: 303, and a page that posted with its script loads the target
 * whole. What the document's head said, and what its memory holds, ends with it.
 */
export function redirectWhole(url: string): never {
  throw new Redirect(url, 303, true)
}

/** Ends the load or action with the app's not-found page. */
export function notFound(): never {
  return httpError(404)
}

/** Ends the load or action: 4xx shows the app's not-found page with that status, 5xx the fall-back page. */
export function httpError(status: number): never {
  throw new HttpError(status)
}

/** Return it from an action: status 422, `useActionData` gives `data`, and the form keeps what was typed. */
export function invalid<Data>(data: Data): Invalid<Data> {
  return new Invalid(data)
}
