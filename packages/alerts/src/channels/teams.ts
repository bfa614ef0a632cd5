/**
 * Microsoft Teams by a workflow ("When a Teams webhook request is received"): an Adaptive Card.
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 */
import type { Message } from '../messages/message.ts'
import { chatWebhook } from './chat-webhook.ts'
import { oneLine, shownFacts } from './fields.ts'

export const TEAMS = chatWebhook(teamsMessage)

/** 28 kB is what Teams takes in all; a character has three bytes at most for each of these. */
const TEXT_CHARS = 500
const PART_CHARS = 150
const FACTS = { max: 10, nameChars: 60, valueChars: 300 }

export function teamsMessage(message: Message) {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: adaptiveCard(message),
      },
    ],
  }
}

/**
 * Version 1.4: what Teams shows everywhere. https://adaptivecards.io/schemas/adaptive-card.json. Text stands in runs of rich
 * text, which know no Markdown: nothing that a program wrote needs to be escaped, or becomes a link.
 */
function adaptiveCard({ kind, headline, title, place, facts, url, parts = [], count = 0 }: Message) {
  const more = count - parts.length
  const color = kind === 'resolved' ? 'Good' : 'Attention'
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      line([run(oneLine(headline, TEXT_CHARS), { color, weight: 'Bolder' })]),
      line([
        run(oneLine(title, TEXT_CHARS), { size: 'Medium', weight: 'Bolder', selectAction: openUrl(url) }),
      ]),
      ...(place === ''
        ? []
        : [line([run(oneLine(place, TEXT_CHARS), { fontType: 'Monospace', isSubtle: true })])]),
      ...shownFacts(facts, FACTS).map(([name, value], at) =>
        line([run(`${name}: ${value}`)], at === 0 ? 'Default' : 'None'),
      ),
      ...parts.map((part) =>
        line([run(`• ${oneLine(part.title, PART_CHARS)}`, { selectAction: openUrl(part.url) })], 'None'),
      ),
      ...(more > 0 ? [line([run(`and ${more} more`, { isSubtle: true })], 'None')] : []),
    ],
    actions: [{ ...openUrl(url), title: 'Open in Sonde' }],
  }
}

const line = (inlines: readonly object[], spacing = 'Default') => ({
  type: 'RichTextBlock',
  inlines,
  spacing,
})
const run = (text: string, style: object = {}) => ({
  type: 'TextRun',
  text: oneLine(text, TEXT_CHARS),
  ...style,
})
const openUrl = (url: string) => ({ type: 'Action.OpenUrl', url })
