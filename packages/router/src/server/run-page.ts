/** Runs a page's action and loads. Knows nothing of HTML, wire formats or logging. */
import type { ActionArgs, LoadArgs } from './args.ts'
import type { Match } from './build.ts'
import type { FormBody } from './form-body.ts'
import { type Outcome, responseOutcome, thrownOutcome } from './outcome.ts'
import { httpError, Invalid } from './results.ts'

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
