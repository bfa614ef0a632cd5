/** Runs a page's action and loads. Knows nothing of HTML, wire formats or logging. */
import type { PageError } from '../shared/page-data.ts'
import type { ActionArgs, LoadArgs, Match } from './build.ts'
import type { FormBody } from './form-body.ts'
import { httpError, HttpError, Invalid, Redirect, type RedirectStatus } from './results.ts'

/** @throws whatever the app's code throws, other than redirects, 4xx errors and Responses */
export async function runPage(match: Match, args: LoadArgs, form: FormBody): Promise<Outcome> {
  return args.request.method === 'POST' ? runAction(match, args, form) : runLoads(match, args)
}

async function runAction(match: Match, args: LoadArgs, form: FormBody): Promise<Outcome> {
  const server = match.chain.at(-1)?.server
  if (!server?.action) return { kind: 'error', error: { status: 405 } }
  const actionArgs: ActionArgs = { ...args, formData: () => form.read() }
  let result: unknown
  try {
    result = await server.action(actionArgs)
  } catch (thrown) {
    const outcome = thrownOutcome(thrown, 303)
    if (outcome) return outcome
    throw thrown
  }
  if (result instanceof Response) return responseOutcome(result, 303)
  const refused = result instanceof Invalid ? result : undefined
  const outcome = await runLoads(match, args)
  if (outcome.kind !== 'data') return outcome
  const typed = refused ? form.typed() : undefined
  return {
    ...outcome,
    status: refused ? 422 : outcome.status,
    action: plain(refused ? refused.data : result),
    ...(typed ? { typed } : {}),
  }
}

/**
 * All loads start at once. The outermost that does not end in data decides, so that a layout's
 * "sign in first" wins over the page's "not found" however fast they are.
 */
async function runLoads(match: Match, args: LoadArgs): Promise<Outcome> {
  const running = match.chain.map(async ({ id, server }): Promise<[string, unknown]> => [
    id,
    await server?.load?.(args),
  ])
  for (const load of running) load.catch(() => {})
  const page = match.chain.at(-1)
  const data: Record<string, unknown> = {}
  try {
    for (const load of running) {
      const [id, value] = await load
      if (value instanceof Response) return responseOutcome(value, 307)
      data[id] = plain(value)
    }
    if (page?.file === undefined && !page?.server?.load) httpError(405)
  } catch (thrown) {
    const outcome = thrownOutcome(thrown, 307)
    if (outcome) return outcome
    throw thrown
  }
  if (page?.file === undefined) return { kind: 'response', response: Response.json(data[page?.id ?? '']) }
  return { kind: 'data', status: 200, data }
}

/** Through JSON, so that the server renders exactly what the browser will hydrate with. */
function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value))
}

/** How a request to a page ends, before it becomes an answer in HTML or page data. */
export type Outcome =
  | {
      readonly kind: 'redirect'
      readonly url: string
      readonly status: RedirectStatus
      readonly asDocument?: boolean
    }
  /** A load or action answered by itself: a download, an event stream. */
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'error'; readonly error: PageError }
  | {
      readonly kind: 'data'
      readonly status: number
      readonly data: Readonly<Record<string, unknown>>
      readonly action?: unknown
      readonly typed?: Readonly<Record<string, string>>
    }

/** What a thrown redirect, HTTP error or Response means; undefined for a real failure. */
export function thrownOutcome(thrown: unknown, defaultStatus: 303 | 307): Outcome | undefined {
  if (thrown instanceof Redirect) {
    const { url, status = defaultStatus, asDocument } = thrown
    return { kind: 'redirect', url, status, asDocument }
  }
  if (thrown instanceof Response) return responseOutcome(thrown, defaultStatus)
  if (thrown instanceof HttpError && thrown.status < 500)
    return { kind: 'error', error: { status: thrown.status } }
  return undefined
}

/** 301 and 302 let a browser turn a post into a get or not; they become the code that says which (N7). */
function responseOutcome(response: Response, defaultStatus: 303 | 307): Outcome {
  const location = response.headers.get('location')
  if (location === null || response.status < 300 || response.status > 399)
    return { kind: 'response', response }
  const exact = ([303, 307, 308] as const).find((status) => status === response.status)
  const permanent = response.status === 301 && defaultStatus === 307 ? 308 : undefined
  return { kind: 'redirect', url: location, status: exact ?? permanent ?? defaultStatus }
}
