/**
 * `POST /api/0/status-unsubscribe/?token=…`: what mail programs send when somebody presses "Unsubscribe" on mail of a status page
 * (https://www.rfc-editor.org/rfc/rfc8058). Without a sign-in and from anywhere: the token alone says whom it is about. Who opens the
 * address in a browser is led to a page that asks first: programs that look at links must not end anything.
 */
import { createPostLimit, unsubscribeFromStatus } from '@sonde/commands'
import type { Api, ApiOptions } from '../api-context.ts'

/** Of one address in a minute. A provider posts for many people from one. */
const POSTS_A_MINUTE = 120

type Options = Pick<ApiOptions, 'access' | 'commands' | 'publicUrl' | 'clientAddress'>

export function statusUnsubscribeRoutes(
  api: Api,
  { access, commands, publicUrl, clientAddress }: Options,
): void {
  const waitFor = createPostLimit({ postsAMinute: POSTS_A_MINUTE, nowMs: () => commands.clock.nowMs() })

  // Which page it is of, the token does not say, and that address needs none that there is.
  api.get('/status-unsubscribe', (c) =>
    c.redirect(
      `${publicUrl}/status/-/unsubscribe?token=${encodeURIComponent(c.req.query('token') ?? '')}`,
      302,
    ),
  )

  // The body is `List-Unsubscribe=One-Click` and says nothing else, so it is not read.
  api.post('/status-unsubscribe', async (c) => {
    const waitSec = waitFor(clientAddress?.(c.req.raw.headers) ?? '')
    if (waitSec > 0) {
      c.header('retry-after', String(waitSec))
      return c.json({ detail: 'Too many requests.' }, 429)
    }
    if (!(await unsubscribeFromStatus(commands, access.seal, c.req.query('token') ?? '')))
      return c.json({ detail: 'This link is not valid, or no longer.' }, 404)
    return c.json({ unsubscribed: true })
  })
}
