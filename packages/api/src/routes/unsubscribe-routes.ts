/**
 * `POST /api/0/unsubscribe/?token=…`: what mail programs send when somebody presses their "Unsubscribe"
 * (https://www.rfc-editor.org/rfc/rfc8058). Without a sign-in and from anywhere: the token alone says whom it is about, and it
 * ends mail, nothing else. Who opens the address in a browser is led to a page that asks first: programs that look at
 * links must not end anything.
 */
import { unsubscribe } from '@sonde/commands'
import { createPostLimit } from '@sonde/commands'
import { z } from 'zod'
import { type ApiOptions, refusal, tooMany } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { media } from '../operation.ts'

/** Of one address in a minute. A provider posts for many people from one. */
const POSTS_A_MINUTE = 120

const token = z.string().default('').meta({ description: 'Of the mail.' })

type Options = Pick<ApiOptions, 'access' | 'commands' | 'publicUrl' | 'clientAddress'>

export function unsubscribeRoutes(api: Api, { access, commands, publicUrl, clientAddress }: Options): void {
  const waitFor = createPostLimit({ postsAMinute: POSTS_A_MINUTE, nowMs: () => commands.clock.nowMs() })

  api.get(
    '/unsubscribe',
    {
      id: 'openUnsubscribe',
      summary: 'Open the page that ends mail',
      tag: 'Links',
      isPublic: true,
      query: z.object({ token }),
      answer: media('text/html', 'The address of the page.'),
      status: 302,
    },
    ({ c, query }) =>
      c.redirect(`${publicUrl}/settings/unsubscribe?token=${encodeURIComponent(query.token)}`, 302),
  )

  api.post(
    '/unsubscribe',
    {
      id: 'unsubscribe',
      summary: 'End mail',
      description: 'The body is `List-Unsubscribe=One-Click`, and is not read.',
      tag: 'Links',
      isPublic: true,
      query: z.object({ token }),
      answer: z.object({ unsubscribed: z.string().meta({ description: 'A project, or all of them.' }) }),
      errors: { 404: 'The link is not valid, or no longer.', 429: 'Too many requests.' },
    },
    async ({ c, query }) => {
      const waitSec = waitFor(clientAddress?.(c.req.raw.headers) ?? '')
      if (waitSec > 0) throw tooMany(c, waitSec)
      const ended = await unsubscribe(commands, access.seal, query.token)
      if (!ended) throw refusal(c, 404, 'This link is not valid, or no longer.')
      return { unsubscribed: ended.project ?? 'all projects' }
    },
  )
}
