/**
 * `POST /api/0/channels/{id}/hook/`: what Slack, PagerDuty and Opsgenie send when somebody does something there. Without a
 * sign-in and from anywhere: a signature or a token, which the channel's secret checks, is the proof. Whoever has none is
 * told nothing, not even whether there is such a channel.
 */
import { requireAlso } from '@sonde/access'
import { createAnswerHook, type HookDeps, InvalidInput } from '@sonde/commands'
import { createPostLimit } from '@sonde/commands'
import { assigneeChoices } from '@sonde/queries'
import { type ApiOptions, notFound, tooMany } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES, boundedBody } from '../json-body.ts'
import { media } from '../operation.ts'

/** Of one address in a minute. These services send for many customers from a few. */
const POSTS_A_MINUTE = 600
/** Slack tells the person that it failed when there is no answer within 3 s; what takes longer goes on. */
const ANSWER_WITHIN_MS = 2_000

type Options = Pick<ApiOptions, 'commands' | 'channels' | 'clientAddress' | 'logger' | 'queries'>

export function channelHookRoutes(
  api: Api,
  { commands, queries, channels, clientAddress, logger }: Options,
): void {
  const waitFor = createPostLimit({ postsAMinute: POSTS_A_MINUTE, nowMs: () => commands.clock.nowMs() })
  const assignees: HookDeps['assignees'] = (grant) =>
    assigneeChoices(queries, requireAlso(grant, 'event:read'))
  const answerHook = channels && createAnswerHook({ ...commands, channels, logger, assignees })

  api.post(
    '/channels/:channel/hook',
    {
      id: 'takeChannelHook',
      summary: 'Take what somebody did in a channel',
      description: 'Slack, PagerDuty and Opsgenie send it; a signature or a token is the proof.',
      tag: 'Links',
      isPublic: true,
      body: media('*/*', 'As the service sends it.'),
      answer: media('application/json', 'What the service shows, or nothing.'),
      errors: { 429: 'Too many were sent.' },
    },
    async ({ c, params: { channel: id } }) => {
      const waitSec = waitFor(clientAddress?.(c.req.raw.headers) ?? '')
      if (waitSec > 0) throw tooMany(c, waitSec)
      const tooLong = () =>
        new InvalidInput('read the body', { detail: [`a body has at most ${API_BODY_BYTES.hook} bytes`] })
      const pieces: Buffer[] = []
      for await (const piece of boundedBody(c, API_BODY_BYTES.hook, tooLong)) pieces.push(piece)
      const request = { headers: c.req.raw.headers, body: Buffer.concat(pieces) }
      const answer = /^[1-9]\d{0,14}$/.test(id) ? await answerHook?.(Number(id), request) : undefined
      if (!answer?.isTaken) throw notFound('take a hook')
      const { done } = answer
      const said = await Promise.race([done, within(ANSWER_WITHIN_MS)])
      // Whoever waited no longer: it is logged then.
      done.catch((error: unknown) => logger.error({ err: error, channel: id }, 'what a channel sent failed'))
      return said ? c.json(said) : c.body(null, 200)
    },
  )
}

const within = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
