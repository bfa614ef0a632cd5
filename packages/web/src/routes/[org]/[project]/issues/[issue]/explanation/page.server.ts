/**
 * What the organization's language model says of an issue, as it comes: lines of JSON. A post alone asks, so no link and no
 * prefetch sends anything. Who goes away ends the request to the model, and so what it costs.
 */
import { errorKind } from '@sonde/base'
import { type ExplainedPart, explainIssue } from '@sonde/commands'
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../../paths.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import type { ExplanationLine } from '../explanation-line.ts'
import { loadPrompt } from '../load-prompt.server.ts'

type Param = 'org' | 'project' | 'issue'

export function load({ params }: LoadArgs<AppContext, Param>) {
  return redirect(paths.issue(params.org, params.project, params.issue), 303)
}

export async function action(args: ActionArgs<AppContext, Param>): Promise<Response> {
  const grant = await projectGrant(args, 'event:write')
  const event = fieldsOf(await args.formData()).text('event')
  const prompt = await loadPrompt(args, grant, event === '' ? undefined : event)
  const ending = new AbortController()
  const parts = explainIssue(
    args.context.commands,
    grant,
    { shortId: args.params.issue, prompt },
    ending.signal,
  )
  const lines = linesOf(parts)
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`))
    },
    async cancel() {
      ending.abort()
      await lines.return(undefined)
    },
  })
  return new Response(stream, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'private, no-store',
      // For proxies that would collect the answer first.
      'x-accel-buffering': 'no',
    },
  })
}

/** What fails while it is said is said too: the status is sent already. */
async function* linesOf(parts: AsyncGenerator<ExplainedPart>): AsyncGenerator<ExplanationLine, void> {
  try {
    yield* parts
  } catch (error) {
    const kind = errorKind(error)
    if (kind === undefined || !SAID.has(kind)) throw error
    yield { kind: 'failed', message: (error as Error).message }
  }
}

const SAID: ReadonlySet<string> = new Set(['unavailable', 'invalid', 'conflict', 'not-found'])
