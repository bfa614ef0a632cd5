/**
 * The pictures of what people are told, for docs/screens: mails as Chromium shows them, light, dark and narrow, the card of
 * Teams drawn by Microsoft's own renderer, and the messages of the other chats drawn by what each service does with their parts.
 * `node --conditions=@sonde/source tests/e2e/docs-messages.ts FOLDER`.
 */
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { discordMessage } from '../../packages/alerts/src/channels/discord.ts'
import { mattermostMessage } from '../../packages/alerts/src/channels/mattermost.ts'
import { ntfyMessage } from '../../packages/alerts/src/channels/ntfy.ts'
import { slackMessage } from '../../packages/alerts/src/channels/slack.ts'
import { teamsMessage } from '../../packages/alerts/src/channels/teams.ts'
import { telegramMessage } from '../../packages/alerts/src/channels/telegram.ts'
import { mailOf } from '../../packages/alerts/src/mail/mail-of.ts'
import { digestOf, type Message } from '../../packages/alerts/src/messages/message.ts'
import { launchChromium } from './chromium.ts'

const URL_OF = 'https://sonde.example/acme/shop'
const NEW: Message = {
  kind: 'new',
  headline: 'New issue in acme/shop',
  title: "TypeError: Cannot read properties of undefined (reading 'amount')",
  place: 'total in src/cart/sum-of-positions.ts',
  level: 'error',
  facts: [
    ['Issue', 'SHOP-128'],
    ['Level', 'error'],
    ['Events in all', '1'],
    ['First release', 'shop@1.5.0'],
    ['In', 'total in src/cart/sum-of-positions.ts'],
  ],
  url: `${URL_OF}/issues/SHOP-128`,
  org: 'acme',
  project: 'shop',
  issue: { id: 1, shortId: 'SHOP-128' },
  rule: { id: 1, name: 'New and returning issues' },
  incidentId: 1,
  atMs: Date.UTC(2026, 10, 20, 9, 41),
}
const RESOLVED: Message = { ...NEW, kind: 'resolved', headline: 'Resolved in acme/shop', level: 'info' }
const DIGEST = digestOf(
  Array.from({ length: 34 }, (_, at) => ({
    ...NEW,
    title: `Error: the supplier of ${['amber', 'birch', 'cedar', 'dune'][at % 4]}-${at} did not answer`,
    url: `${URL_OF}/issues/SHOP-${at + 129}`,
  })),
  { url: `${URL_OF}/alerts/incidents`, period: 'within a minute', atMs: NEW.atMs },
)
const MESSAGES: Readonly<Record<string, Message>> = { new: NEW, resolved: RESOLVED, digest: DIGEST }
const LINKS = {
  settingsUrl: 'https://sonde.example/settings/notifications',
  unsubscribeUrl: 'https://sonde.example/settings/unsubscribe?token=x',
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('say into which folder')
mkdirSync(folder, { recursive: true })
const browser = await launchChromium()
for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [720, 390]) {
    const page = await (await browser.newContext({ colorScheme, viewport: { width, height: 700 } })).newPage()
    for (const name of ['new', 'digest']) {
      await page.setContent(mailOf(MESSAGES[name] ?? NEW, LINKS).html)
      const suffix = width === 390 ? `${colorScheme}-narrow` : colorScheme
      await page.screenshot({ path: join(folder, `mail-${name}-${suffix}.png`), fullPage: true })
    }
    await page.context().close()
  }
const page = await (await browser.newContext({ viewport: { width: 640, height: 400 } })).newPage()
for (const [name, chat] of Object.entries({ slack, discord, mattermost, telegram, ntfy })) {
  await page.setContent(sheet(Object.values(MESSAGES).map(chat)))
  await page.screenshot({ path: join(folder, `chat-${name}.png`), fullPage: true })
}
await teams(page, join(folder, 'chat-teams.png'))
await browser.close()

function slack(message: Message): string {
  const blocks = slackMessage(message).blocks.map((block) => {
    if (block.type === 'header') return `<h2>${escaped(block.text.text)}</h2>`
    const fields = 'fields' in block ? (block.fields ?? []) : []
    return `<p>${mrkdwn(block.text.text)}</p>${grid(fields.map(({ text }) => mrkdwn(text)))}`
  })
  return framed('#4a154b', blocks.join(''))
}

/** What Slack makes of the few signs that we use. */
function mrkdwn(text: string): string {
  return text
    .replaceAll(/<([^|>]+)\|([^>]*)>/g, '<a href="$1">$2</a>')
    .replaceAll(/\*([^*\n]+)\*/g, '<b>$1</b>')
    .replaceAll(/`([^`\n]+)`/g, '<code>$1</code>')
    .replaceAll('\n', '<br>')
}

function discord(message: Message): string {
  const [embed] = discordMessage(message).embeds
  if (!embed) return ''
  const { author, title, description = '', color, fields, timestamp } = embed
  const body = `<small>${markdown(author.name)}</small><h2><a href="#">${markdown(title)}</a></h2><p>${markdown(description)}</p>`
  const facts = grid(fields.map(({ name, value }) => `<b>${escaped(name)}</b><br>${markdown(value)}`))
  return framed(`#${color.toString(16).padStart(6, '0')}`, `${body}${facts}<small>${timestamp}</small>`)
}

function mattermost(message: Message): string {
  const [attachment] = mattermostMessage(message).attachments
  if (!attachment) return ''
  const { color, pretext, title, text, fields } = attachment
  const facts = grid(fields.map((field) => `<b>${escaped(field.title)}</b><br>${markdown(field.value)}`))
  return `<p>${markdown(pretext)}</p>${framed(color, `<h2><a href="#">${markdown(title)}</a></h2><p>${markdown(text)}</p>${facts}`)}`
}

/** Its HTML is what Telegram takes as it is. */
function telegram(message: Message): string {
  return framed('#229ed9', telegramMessage(message, '-1').text.replaceAll('\n', '<br>'))
}

function ntfy(message: Message): string {
  const { title, message: text, priority } = ntfyMessage(message)
  return framed(
    '#338574',
    `<h2>${escaped(title)}</h2><p>${escaped(text).replaceAll('\n', '<br>')}</p><small>priority ${priority}</small>`,
  )
}

/** Links, lists, code, and signs that a backslash keeps as they are. */
function markdown(text: string): string {
  return escaped(text)
    .replaceAll(/\[((?:\\.|[^\]\\])*)\]\(([^)]*)\)/g, '<a href="$2">$1</a>')
    .replaceAll(/`([^`\n]+)`/g, '<code>$1</code>')
    .replaceAll(/^- /gm, '• ')
    .replaceAll(/\\([^\w\s])/g, '$1')
    .replaceAll('\n', '<br>')
}

/** Its library runs in the page. */
async function teams(page: Page, path: string): Promise<void> {
  await page.setContent(sheet(['<div id="cards"></div>']))
  await page.addScriptTag({
    path: createRequire(import.meta.url).resolve('adaptivecards/dist/adaptivecards.js'),
  })
  const cards = Object.values(MESSAGES).map((message) => teamsMessage(message).attachments[0]?.content)
  await page.evaluate((all) => {
    const { AdaptiveCards } = globalThis as unknown as {
      AdaptiveCards: { AdaptiveCard: new () => { parse(card: unknown): void; render(): HTMLElement } }
    }
    for (const each of all) {
      const card = new AdaptiveCards.AdaptiveCard()
      card.parse(each)
      document.querySelector('#cards')?.append(card.render(), document.createElement('hr'))
    }
  }, cards)
  await page.screenshot({ path, fullPage: true })
}

function sheet(parts: readonly string[]): string {
  return `<!doctype html><meta charset="utf-8"><style>
    body { font: 15px/1.45 system-ui, sans-serif; margin: 16px; overflow-wrap: anywhere } h2 { font-size: 17px; margin: 0 0 6px }
    section { border-left: 4px solid; padding: 4px 12px; margin-block: 16px } p { margin: 4px 0 }
    .grid { display: grid; grid-template-columns: 1fr 1fr; gap: 6px 16px; margin-top: 8px } code { background: #eee; padding: 1px 4px }
    </style>${parts.join('')}`
}
function framed(color: string, html: string): string {
  return `<section style="border-color: ${color}">${html}</section>`
}
function grid(cells: readonly string[]): string {
  return cells.length === 0
    ? ''
    : `<div class="grid">${cells.map((cell) => `<div>${cell}</div>`).join('')}</div>`
}
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
