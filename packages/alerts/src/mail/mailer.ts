/** Mail by SMTP through nodemailer. The server is the operator's own, so it is not judged by the guard of outgoing requests. */
import { createHash } from 'node:crypto'
import type { Delivery, DeliveryResult } from '../channels/channel.ts'
import { type Mail, mailOf } from './mail-of.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

export type MailSettings = {
  /** `smtp://user:password@host:587` or `smtps://…:465`, as nodemailer takes it. */
  readonly url: string
  /** `Sonde <sonde@example.com>`. */
  readonly from: string
  /** Under which people reach the screens: where a mail says how to get fewer of them. */
  readonly publicUrl: string
}

export type Mailer = {
  /** Never throws for what the server answers. `unsubscribe`: the token with which a mail program ends these. */
  deliver(to: string, delivery: Delivery & { readonly unsubscribe: string }): Promise<DeliveryResult>
  /** About an account: nobody unsubscribes from these, unless `list` says how. `key`: the same for the same mail. */
  send(to: string, mail: Mail, key: string, list?: MailList): Promise<DeliveryResult>
  close(): Promise<void>
}

export type MailList = {
  /** Where a mail program posts to end these (RFC 8058). */
  readonly oneClickUrl: string
  /** The same for mails that mail programs show together. */
  readonly thread: string
}

const TIMEOUT_MS = 20_000

export function createMailer({ url, from, publicUrl }: MailSettings): Mailer {
  // Loaded with the first mail.
  const open = async () =>
    (await import('nodemailer')).createTransport(
      {
        url,
        pool: true,
        maxConnections: 2,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        // A text of a stranger's program must not make this process read files or fetch addresses.
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    )
  let opening: ReturnType<typeof open> | undefined
  const host = new URL(publicUrl).hostname
  const idOf = (text: string): string =>
    `<${createHash('sha256').update(text).digest('hex').slice(0, 32)}@${host}>`
  return {
    async close() {
      ;(await opening)?.close()
    },
    async deliver(to, { key, message, unsubscribe }) {
      const links = {
        settingsUrl: `${publicUrl}/settings/notifications`,
        unsubscribeUrl: unsubscribeUrl(publicUrl, unsubscribe),
      }
      // Every mail about an issue answers the same one, which nobody got: that is what makes them a thread.
      const thread = message.issue && idOf(`issue ${message.org} ${message.issue.id}`)
      try {
        const transport = await (opening ??= open())
        const sent = await transport.sendMail({
          to,
          ...mailOf(message, links),
          messageId: idOf(key),
          ...(thread && { inReplyTo: thread, references: [thread] }),
          list: { unsubscribe: { url: links.unsubscribeUrl } },
          headers: { ...ONE_CLICK, ...AUTOMATIC },
        })
        return { isDelivered: true, answer: sent.response }
      } catch (error) {
        return failureOf(error)
      }
    },
    async send(to, mail, key, list) {
      const thread = list && idOf(list.thread)
      try {
        const transport = await (opening ??= open())
        const sent = await transport.sendMail({
          to,
          ...mail,
          messageId: idOf(key),
          ...(thread && { inReplyTo: thread, references: [thread] }),
          ...(list && { list: { unsubscribe: { url: list.oneClickUrl } } }),
          headers: list ? { ...ONE_CLICK, ...AUTOMATIC } : AUTOMATIC,
        })
        return { isDelivered: true, answer: sent.response }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

/** RFC 8058: the program posts to that address, without asking anybody to sign in. */
const ONE_CLICK = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } as const
/** So that nobody's holiday answers. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } as const

/** RFC 5321, section 4.2.1: 4yz may work later, 5yz will not; without a code nothing was said. */
function failureOf(error: unknown): DeliveryResult {
  const { responseCode, response, message } = error as {
    responseCode?: number
    response?: string
    message: string
  }
  const again = responseCode !== undefined && responseCode >= 500 ? 'never' : 'later'
  return { isDelivered: false, answer: (response ?? message).slice(0, 500), again }
}
