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

function teamsMessage(message: Message) {
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

/** Version 1.4: what Teams shows everywhere. https://adaptivecards.io/schemas/adaptive-card.json */
function adaptiveCard({ kind, headline, title, place, facts, url, parts = [], count = 0 }: Message) {
  const more = count - parts.length
  const color = kind === 'resolved' ? 'Good' : 'Attention'
  const shown = shownFacts(facts, FACTS)
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      { type: 'TextBlock', text: escaped(headline), color, weight: 'Bolder', wrap: true },
      { type: 'TextBlock', text: escaped(title), size: 'Medium', weight: 'Bolder', wrap: true },
      ...(place === ''
        ? []
        : [{ type: 'TextBlock', text: escaped(place), fontType: 'Monospace', isSubtle: true, wrap: true }]),
      ...(shown.length === 0
        ? []
        : [
            {
              type: 'FactSet',
              facts: shown.map(([name, value]) => ({ title: escaped(name), value: escaped(value) })),
            },
          ]),
      ...parts.map((part) => ({
        type: 'TextBlock',
        text: `- [${escaped(part.title, PART_CHARS)}](${part.url})`,
        wrap: true,
      })),
      ...(more > 0 ? [{ type: 'TextBlock', text: `and ${more} more`, isSubtle: true }] : []),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open in Sonde', url }],
  }
}

/** A card reads a part of Markdown. */
const escaped = (text: string, chars = TEXT_CHARS): string =>
  oneLine(text, chars).replaceAll(/[\\*_[\]()`#~-]/g, String.raw`\$&`)
