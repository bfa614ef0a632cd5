/** In which browsers a person wants notifications. */
import type { UserViewer } from '@sonde/access'
import { arePushKeys, type DeliveryResult, type Message, type Pusher, testMessage } from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { accountAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'

/** What `PushSubscription.toJSON()` of a browser says. https://www.w3.org/TR/push-api/#dom-pushsubscription-tojson */
const ADD = z.object({
  endpoint: z
    .string()
    .max(2_048, 'has at most 2,048 characters')
    .refine((text) => {
      const url = URL.parse(text)
      return url?.protocol === 'https:' && url.username === '' && url.password === ''
    }, 'is no https address'),
  p256dh: z.string().max(200),
  auth: z.string().max(100),
  userAgent: z.string().transform((text) => text.slice(0, 500)),
})

/** More than anybody has in use: the oldest goes. */
const MAX_BROWSERS = 20

/**
 * Until it is switched off, or the session ends. The same browser again: for whoever switched it on last. Throws `InvalidInput`,
 * also for a viewer without a session.
 */
export async function addPushSubscription(
  deps: CommandDeps,
  viewer: UserViewer,
  input: z.input<typeof ADD>,
): Promise<{ readonly id: number }> {
  const operation = 'switch on notifications in a browser'
  const { endpoint, p256dh, auth, userAgent } = readInput(operation, ADD, input)
  const { userId, sessionId } = viewer
  if (sessionId === undefined || !arePushKeys({ p256dh, auth }))
    throw new InvalidInput(operation, { endpoint: ['the browser gave no keys to write to it with'] })
  return writeTransaction(deps.records, async (tx) => {
    await tx.deleteFrom('push_subscription').where('endpoint', '=', endpoint).execute()
    const own = await tx
      .selectFrom('push_subscription')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .execute()
    const tooMany = own.slice(MAX_BROWSERS - 1).map(({ id }) => id)
    if (tooMany.length > 0) await tx.deleteFrom('push_subscription').where('id', 'in', tooMany).execute()
    const { id } = await tx
      .insertInto('push_subscription')
      .values({
        user_id: userId,
        session_id: sessionId,
        endpoint,
        p256dh,
        auth,
        user_agent: userAgent,
        created_ms: deps.clock.nowMs(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await accountAudit(deps, tx, viewer, 'push.add', { host: new URL(endpoint).host })
    return { id }
  })
}

const REMOVE = z.object({ id: z.int().positive() })

/** One of the person's own; of anything else nothing. */
export async function removePushSubscription(
  deps: CommandDeps,
  viewer: UserViewer,
  input: z.input<typeof REMOVE>,
): Promise<void> {
  const { id } = readInput('switch off notifications in a browser', REMOVE, input)
  await writeTransaction(deps.records, async (tx) => {
    const removed = await tx
      .deleteFrom('push_subscription')
      .where('id', '=', id)
      .where('user_id', '=', viewer.userId)
      .returning('endpoint')
      .executeTakeFirst()
    if (removed) await accountAudit(deps, tx, viewer, 'push.remove', { host: new URL(removed.endpoint).host })
  })
}

/** Sends a test notification to one of the person's browsers and answers what its maker said. Throws `SondeError` (`not-found`). */
export async function testPush(
  deps: CommandDeps & { readonly pusher: Pusher },
  viewer: UserViewer,
  input: z.input<typeof REMOVE>,
): Promise<DeliveryResult> {
  const operation = 'try notifications in a browser'
  const { id } = readInput(operation, REMOVE, input)
  const row = await deps.records
    .selectFrom('push_subscription')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', viewer.userId)
    .executeTakeFirst()
  if (!row) throw new SondeError('not-found', `you have no browser ${id}`, { operation, subject: String(id) })
  const nowMs = deps.clock.nowMs()
  const { publicUrl } = deps.access
  const message: Message = {
    ...testMessage({ orgSlug: viewer.name || viewer.email }, publicUrl, nowMs),
    title: 'Notifications reach this browser.',
    url: `${publicUrl}/settings/notifications`,
  }
  return deps.pusher.deliver(viewer.userId, { key: `test:push:${id}:${nowMs}`, message, nowMs }, id)
}
