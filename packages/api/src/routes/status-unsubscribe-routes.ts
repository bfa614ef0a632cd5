/**
 * `POST /api/0/status-unsubscribe/?token=…`: what mail programs send when somebody presses "Unsubscribe" on mail of a status page
 * (https://www.rfc-editor.org/rfc/rfc8058). Without a sign-in and from anywhere: the token alone says whom it is about. Who opens the
 * address in a browser is led to a page that asks first: programs that look at links must not end anything.
 */
import { createPostLimit, unsubscribeFromStatus } from '@sonde/commands'
import { z } from 'zod'
import { type ApiOptions, refusal, tooMany } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { media } from '../operation.ts'

/** Of one address in a minute. A provider posts for many people from one. */
const POSTS_A_MINUTE = 120

type Options = Pick<ApiOptions, 'access' | 'commands' | 'publicUrl' | 'clientAddress'>

const token = z.string().default('').meta({ description: 'Of the mail.' })

export function statusUnsubscribeRoutes(
  api: Api,
  { access, commands, publicUrl, clientAddress }: Options,
): void {
  const waitFor = createPostLimit({ postsAMinute: POSTS_A_MINUTE, nowMs: () => commands.clock.nowMs() })

  // Which page it is of, the token does not say, and that address needs none that there is.
  api.get(
    '/status-unsubscribe',
    {
      id: 'openStatusUnsubscribe',
      summary: 'Open the page that ends mail of a status page',
      tag: 'Links',
      isPublic: true,
      query: z.object({ token }),
      answer: media('text/html', 'The address of the page.'),
      status: 302,
    },
    ({ c, query }) =>
      c.redirect(`${publicUrl}/status/-/unsubscribe?token=${encodeURIComponent(query.token)}`, 302),
  )

  api.post(
    '/status-unsubscribe',
    {
      id: 'unsubscribeFromStatus',
      summary: 'End mail of a status page',
      description: 'The body is `List-Unsubscribe=One-Click`, and is not read.',
      tag: 'Links',
      isPublic: true,
      query: z.object({ token }),
      answer: z.object({ unsubscribed: z.literal(true) }),
      errors: { 404: 'The link is not valid, or no longer.', 429: 'Too many requests.' },
    },
    async ({ c, query }) => {
      const waitSec = waitFor(clientAddress?.(c.req.raw.headers) ?? '')
      if (waitSec > 0) throw tooMany(c, waitSec)
      if (!(await unsubscribeFromStatus(commands, access.seal, query.token)))
        throw refusal(c, 404, 'This link is not valid, or no longer.')
      return { unsubscribed: true as const }
    },
  )
}
