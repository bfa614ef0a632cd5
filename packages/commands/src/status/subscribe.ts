/**
 * Mail about a status page for whoever asks for it, without an account. An address gets none before somebody confirms from its own
 * mailbox, and nobody learns here which addresses are subscribed: the answer is one, and comes before anything is looked up.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Seal } from '@sonde/access'
import { readStatusUnsubscribeToken, STATUS_LIMITS, statusUrl } from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import type { CommandDeps } from '../command-deps.ts'
import { emailField, readInput } from '../fields.ts'
import { createPostLimit } from '../post-limit.ts'
import { auditStatus, pageOf, type StatusGrant } from './change-page.ts'

const INPUT = z.object({ email: z.string().trim().pipe(emailField) })
const HOUR_MS = 3_600_000
// 256 bits: nobody finds one by trying.
const TOKEN_BYTES = 32
const TOKEN = /^[\w-]{43}$/
/** Of one network address: a person subscribes once. */
const POSTS_A_MINUTE = 10

const limits = new WeakMap<Records, ReturnType<typeof createPostLimit>>()

/**
 * `isDone` is for tests: whoever waited for it could tell a known address from an unknown one. Throws `InvalidInput` for what is no
 * address, `SondeError` (`not-found`: no such page is published; `unavailable`: too many from there).
 */
export async function subscribeToStatus(
  deps: CommandDeps,
  slug: string,
  input: { readonly email: string },
  address: string | undefined,
): Promise<{ readonly isDone: Promise<void> }> {
  const operation = 'subscribe to a status page'
  const { records, clock, access } = deps
  let waitFor = limits.get(records)
  if (!waitFor)
    limits.set(
      records,
      (waitFor = createPostLimit({ postsAMinute: POSTS_A_MINUTE, nowMs: () => clock.nowMs() })),
    )
  if (waitFor(address ?? '') > 0)
    throw new SondeError('unavailable', 'too many from there', { operation, subject: slug })
  const page = await records
    .selectFrom('status_page')
    .select(['id', 'slug', 'title'])
    .where('slug', '=', slug)
    .where('is_published', '=', 1)
    .executeTakeFirst()
  if (!page || !access.mailbox.isOn)
    throw new SondeError('not-found', 'no such page', { operation, subject: slug })
  const email = readInput(operation, INPUT, input).email.toLowerCase()
  return { isDone: ask(deps, page, email).catch(() => undefined) }
}

type Page = { readonly id: number; readonly slug: string; readonly title: string }

async function ask({ records, access, clock }: CommandDeps, page: Page, email: string): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const nowMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    const known = await tx
      .selectFrom('status_subscriber')
      .select(['id', 'confirmed_ms', 'asked_ms'])
      .where('page_id', '=', page.id)
      .where('address', '=', email)
      .executeTakeFirst()
    if (known && (known.confirmed_ms !== null || known.asked_ms > nowMs - STATUS_LIMITS.askAgainMs)) return
    if (await isFull(tx, page.id, nowMs)) return
    const asked = {
      confirm_hash: hashOf(token),
      asked_ms: nowMs,
      expires_ms: nowMs + STATUS_LIMITS.confirmMs,
    }
    if (known) await tx.updateTable('status_subscriber').set(asked).where('id', '=', known.id).execute()
    else
      await tx
        .insertInto('status_subscriber')
        .values({ page_id: page.id, address: email, confirmed_ms: null, ...asked })
        .execute()
    const url = statusUrl(access.publicUrl, page.slug)
    await access.mailbox.queue(tx, email, {
      subject: `Confirm your subscription to ${page.title}`,
      heading: 'Confirm your subscription',
      lines: [
        `Somebody, probably you, asked for mail about incidents and maintenance at ${page.title}.`,
        'The link works for a day. If you did not ask for it, ignore this mail: you get no other.',
      ],
      facts: [['Status page', url]],
      button: { label: 'Confirm', url: `${url}/confirm?token=${token}` },
      footer: `Sent because somebody entered your address at ${url}.`,
    })
  })
}

async function isFull(tx: Records, pageId: number, nowMs: number): Promise<boolean> {
  const count = (sinceMs: number) =>
    tx
      .selectFrom('status_subscriber')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('page_id', '=', pageId)
      .where('asked_ms', '>', sinceMs)
      .executeTakeFirstOrThrow()
  if ((await count(nowMs - HOUR_MS)).count >= STATUS_LIMITS.confirmationsAnHour) return true
  return (await count(0)).count >= STATUS_LIMITS.subscribers
}

type Deps = Pick<CommandDeps, 'records' | 'clock'>

/** Which page a link in a mail would subscribe to: confirms nothing, programs that look at links open it too. Undefined: none. */
export async function lookAtConfirmation(
  { records, clock }: Deps,
  token: string,
): Promise<{ readonly id: number; readonly title: string; readonly slug: string } | undefined> {
  if (!TOKEN.test(token)) return undefined
  return records
    .selectFrom('status_subscriber')
    .innerJoin('status_page', 'status_page.id', 'status_subscriber.page_id')
    .select(['status_subscriber.id', 'status_page.title', 'status_page.slug'])
    .where('status_subscriber.confirm_hash', '=', hashOf(token))
    .where('status_subscriber.expires_ms', '>', clock.nowMs())
    .where('status_page.is_published', '=', 1)
    .executeTakeFirst()
}

/** Works once. Undefined like `lookAtConfirmation`. */
export function confirmSubscription(
  { records, clock }: Deps,
  token: string,
): Promise<{ readonly title: string; readonly slug: string } | undefined> {
  return writeTransaction(records, async (tx) => {
    const found = await lookAtConfirmation({ records: tx, clock }, token)
    if (!found) return undefined
    await tx
      .updateTable('status_subscriber')
      .set({ confirm_hash: null, expires_ms: null, confirmed_ms: clock.nowMs() })
      .where('id', '=', found.id)
      .execute()
    return { title: found.title, slug: found.slug }
  })
}

/**
 * Needs no sign-in: the token is the proof. The address is deleted, with mail that waits. Idempotent: what was ended before is as
 * one that ends now. False: the token is not this installation's.
 */
export async function unsubscribeFromStatus(
  { records }: Pick<CommandDeps, 'records'>,
  seal: Seal,
  token: string,
): Promise<boolean> {
  const id = await readStatusUnsubscribeToken(seal, token)
  if (id === undefined) return false
  await records.deleteFrom('status_subscriber').where('id', '=', id).execute()
  return true
}

/** For a person who asks for it: the address is deleted, whether it was confirmed or not. False: it is not there. */
export async function deleteStatusSubscriber(
  { records, clock }: CommandDeps,
  grant: StatusGrant,
  input: { readonly email: string },
): Promise<boolean> {
  const operation = 'remove a subscriber'
  const email = readInput(operation, INPUT, input).email.toLowerCase()
  return writeTransaction(records, async (tx) => {
    const page = await pageOf(tx, grant, operation)
    const gone = await tx
      .deleteFrom('status_subscriber')
      .where('page_id', '=', page.id)
      .where('address', '=', email)
      .returning('id')
      .executeTakeFirst()
    if (!gone) return false
    // Without the address: who asks to be forgotten is not kept in the log.
    await auditStatus(tx, grant, 'status.subscriber-delete', { subscriberId: gone.id }, clock.nowMs())
    return true
  })
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
