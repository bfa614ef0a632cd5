/** One conversation, by its id, or one run of an agent, by its trace. */
import { conversationSteps, traceIdOf } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { messagesOf } from './messages.ts'

// As long as anything is kept: what leads here says no time.
const EVER_MS = 10 * 365 * 86_400_000
const MAX_ID = 1000

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'event:read')
  const { queries, clock } = args.context
  const params = args.url.searchParams
  const conversation = (params.get('id') ?? '').slice(0, MAX_ID)
  const trace = traceIdOf(params.get('trace') ?? '')
  if (conversation === '' && trace === undefined) return notFound()
  const toMs = clock.nowMs() + 60_000
  const ref = conversation === '' ? { trace: trace ?? '' } : { conversation }
  const { steps, hasMore } = await conversationSteps(queries, grant, { fromMs: toMs - EVER_MS, toMs }, ref)
  if (steps.length === 0) return notFound()
  return {
    conversation,
    hasMore,
    steps: steps.map(({ input, output, toolCalls, ...step }) => ({
      ...step,
      input: messagesOf(input),
      output: messagesOf(output),
      toolCalls: messagesOf(toolCalls),
    })),
  }
}
