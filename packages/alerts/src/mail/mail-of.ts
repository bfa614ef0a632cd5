/**
 * A message as a mail: plain text, and HTML of tables and inline styles, which is what Outlook and Gmail read. Dark mode by
 * `color-scheme` and a media query; programs that know neither show the light one.
 */
import type { Message } from '../messages/message.ts'

/** Where a person gets fewer of them. */
export type MailLinks = { readonly settingsUrl: string; readonly unsubscribeUrl: string }
export type Mail = { readonly subject: string; readonly text: string; readonly html: string }

const SUBJECT_CHARS = 200

export function mailOf(message: Message, links: MailLinks): Mail {
  return {
    subject: subjectOf(message),
    text: textOf(message, links),
    html: htmlOf(message, links),
  }
}

/** One line, whatever the sender's program wrote. */
function subjectOf({ kind, headline, title, issue, project }: Message): string {
  const name = issue?.shortId ?? project
  const text = kind === 'digest' || kind === 'test' ? headline : `[${name}] ${headline}: ${title}`
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return line.length <= SUBJECT_CHARS ? line : `${line.slice(0, SUBJECT_CHARS - 1)}…`
}

/** What the last link of a mail ends. */
const unsubscribeName = ({ reason, issue }: Pick<Message, 'reason' | 'issue'>): string =>
  reason === undefined
    ? 'Unsubscribe'
    : issue === undefined
      ? 'Stop email about issue activity'
      : 'Unsubscribe from this issue'

function textOf(message: Message, links: MailLinks): string {
  const { headline, title, place, facts, url, parts = [], count = 0, rule, quote, reason } = message
  const more = count - parts.length
  return [
    headline,
    '',
    title,
    ...(place === '' ? [] : [place]),
    '',
    ...(quote === undefined ? [] : [quote, '']),
    ...facts.map(([name, value]) => `${name}: ${value}`),
    ...parts.map((part) => `- ${part.title}\n  ${part.url}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    '',
    url,
    '',
    '-- ',
    ...(rule ? [`Rule: ${rule.name}`] : []),
    ...(reason === undefined ? [] : [`You get this because ${reason}.`]),
    `Notification settings: ${links.settingsUrl}`,
    `${unsubscribeName(message)}: ${links.unsubscribeUrl}`,
  ].join('\n')
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const MONO = 'font-family:ui-monospace,SFMono-Regular,Consolas,monospace'
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #16181d !important } .card { background: #1f2229 !important; border-color: #363a44 !important }
  .text { color: #e8e9ec !important } .dim { color: #a3a8b4 !important } .link { color: #8ab4f8 !important } }`

const fact = ([name, value]: readonly [string, string]): string =>
  `<tr><td class="dim" style="padding:2px 16px 2px 0;color:#5c6370;${FONT};font-size:13px;white-space:nowrap" valign="top">${escaped(name)}</td>` +
  `<td class="text" style="padding:2px 0;color:#1d2129;${FONT};font-size:13px;word-break:break-word">${escaped(value)}</td></tr>`

/** What the bodies of mails are made of. */
export const styles = {
  fact,
  paragraph: (html: string): string =>
    `<p class="text" style="margin:8px 0;color:#1d2129;${FONT};font-size:14px;line-height:1.5;word-break:break-word">${html}</p>`,
  link: (label: string, url: string): string =>
    `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:16px 0 0"><tr><td style="background:#1a56c4;border-radius:4px"><a href="${escaped(url)}" style="display:inline-block;padding:9px 16px;color:#ffffff;${FONT};font-size:14px;font-weight:600;text-decoration:none">${escaped(label)}</a></td></tr></table>`,
} as const

type HtmlPage = {
  readonly title: string
  /** Above the title; empty: nothing. */
  readonly above?: string
  /** HTML, as is `footer`. */
  readonly body: string
  readonly footer: string
}

export const htmlPage = ({ title, above = '', body, footer }: HtmlPage): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(above || title)}</title><style>${DARK}</style></head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f3f4f6"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" class="card" style="max-width:600px;width:100%;background:#ffffff;border:1px solid #dfe1e6;border-radius:6px"><tr><td style="padding:24px">
${above === '' ? '' : `<p class="dim" style="margin:0 0 8px;color:#5c6370;${FONT};font-size:13px">${escaped(above)}</p>\n`}<h1 class="text" style="margin:0 0 4px;color:#1d2129;${FONT};font-size:18px;line-height:1.35;word-break:break-word">${escaped(title)}</h1>
${body}
</td></tr></table>
<p class="dim" style="margin:16px 0 0;color:#5c6370;${FONT};font-size:12px">${footer}</p>
</td></tr></table></body></html>`

function htmlOf(message: Message, links: MailLinks): string {
  const { headline, title, place, facts, url, parts = [], count = 0, rule, quote, reason } = message
  const more = count - parts.length
  const part = (each: { readonly title: string; readonly url: string }): string =>
    `<tr><td colspan="2" style="padding:3px 0;${FONT};font-size:13px;word-break:break-word"><a class="link" href="${escaped(each.url)}" style="color:#1a56c4;text-decoration:none">${escaped(each.title)}</a></td></tr>`
  const body = `${place === '' ? '' : `<p class="dim" style="margin:0 0 12px;color:#5c6370;${MONO};font-size:13px;word-break:break-word">${escaped(place)}</p>`}
${quote === undefined ? '' : `<p class="text" style="margin:12px 0;padding:0 0 0 12px;border-left:3px solid #c3c7d0;color:#1d2129;${FONT};font-size:14px;line-height:1.5;white-space:pre-wrap;word-break:break-word">${escaped(quote)}</p>`}
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:12px 0">${facts.map(fact).join('')}${parts.map(part).join('')}${more > 0 ? `<tr><td colspan="2" class="dim" style="padding:3px 0;color:#5c6370;${FONT};font-size:13px">and ${more} more</td></tr>` : ''}</table>
${styles.link('Open in Sonde', url)}`
  const footer = `${rule ? `Rule: ${escaped(rule.name)} · ` : ''}${reason === undefined ? '' : `You get this because ${escaped(reason)}. `}<a class="link" href="${escaped(links.settingsUrl)}" style="color:#1a56c4">Notification settings</a> · <a class="link" href="${escaped(links.unsubscribeUrl)}" style="color:#1a56c4">${unsubscribeName(message)}</a>`
  return htmlPage({ title, above: headline, body, footer })
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char] ?? char)
