/**
 * Stands where Slack and the mail of the demo's owner would be: takes what Sonde sends on this machine, and shows it on a page,
 * newest first.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { closeNow, listenHere } from './ports.ts'

export type Told = {
  readonly by: 'Slack' | 'mail'
  /** Of a mail. */
  readonly to?: string
  readonly atMs: number
  readonly text: string
  /** What it leads to. */
  readonly url: string
  /** Of a mail. */
  readonly html?: string
}

export type Mailbox = {
  /** The page. */
  readonly url: string
  readonly smtpUrl: string
  /** An incoming webhook. */
  readonly slackUrl: string
  /** Resolves with what was told after `sinceMs` and fits; rejects when nothing of it comes in time. */
  until(sinceMs: number, fits: (told: Told) => boolean, withinMs: number): Promise<Told>
  close(): Promise<void>
}

const USUAL_PORT = 4313
const LOOK_EVERY_MS = 20
const MAX_BODY_BYTES = 1_000_000

export async function startMailbox(): Promise<Mailbox> {
  const all: Told[] = []
  const page = createServer((req, res) => {
    if (req.method === 'POST')
      void slackMessageOf(req).then(
        (told) => {
          all.unshift(told)
          res.writeHead(200).end('ok')
        },
        () => res.writeHead(400).end('invalid_payload'),
      )
    else res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(all))
  })
  const url = await listenHere(page, USUAL_PORT).catch(() => listenHere(page))
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      void simpleParser(stream).then(({ subject = '', text = '', html }) => {
        const link = /https?:\/\/\S+/.exec(text)?.[0] ?? ''
        const to = envelope.rcptTo[0]?.address ?? ''
        all.unshift({ by: 'mail', to, atMs: Date.now(), text: subject, url: link, html: html || '' })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  return {
    url,
    smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    slackUrl: `${url}/services/T000/B000/demo`,
    async until(sinceMs, fits, withinMs) {
      const endMs = Date.now() + withinMs
      while (Date.now() < endMs) {
        const found = all.find((told) => told.atMs >= sinceMs && fits(told))
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
      throw new Error(`nothing was told within ${withinMs / 1_000} s that was waited for`)
    },
    async close() {
      await new Promise<void>((resolve) => smtp.close(() => resolve()))
      await closeNow(page)
    },
  }
}

async function slackMessageOf(req: IncomingMessage): Promise<Told> {
  let body = ''
  for await (const chunk of req) {
    body += String(chunk)
    if (body.length > MAX_BODY_BYTES) throw new Error('too large')
  }
  const { text } = JSON.parse(body) as { text: string }
  const url = /<(https?:[^|>]+)\|/.exec(body)?.[1] ?? ''
  return {
    by: 'Slack',
    atMs: Date.now(),
    text: text.replaceAll(/&(amp|lt|gt);/g, (_, name) => SIGNS[name] ?? ''),
    url,
  }
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

const pageOf = (all: readonly Told[]): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="5"><title>What the demo's people were told</title>
<style>body { font: 15px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
li { margin-block: 1rem; overflow-wrap: anywhere } time { opacity: .7 } iframe { width: 100%; height: 26rem; border: 1px solid #8886 }</style>
<h1>What the demo's people were told</h1>
${all.length === 0 ? '<p>Nothing yet.</p>' : `<ol reversed>${all.map(itemOf).join('')}</ol>`}`

const itemOf = ({ by, to, atMs, text, url, html }: Told): string =>
  `<li><time>${new Date(atMs).toLocaleTimeString()}</time> by ${by}${to === undefined ? '' : ` to ${escaped(to)}`}: <a href="${escaped(url)}">${escaped(text)}</a>${
    html === undefined
      ? ''
      : `<details><summary>The mail</summary><iframe sandbox title="The mail" srcdoc="${escaped(html)}"></iframe></details>`
  }`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
