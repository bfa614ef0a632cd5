/** An update of a status page as a mail. Everything in it is public. */
import type { StatusImpact, StatusIncidentKind, StatusIncidentState } from '@sonde/stores'
import { escaped, htmlPage, type Mail, styles } from '../mail/mail-of.ts'
import { IMPACT_WORDS, STATE_WORDS } from './status-words.ts'

export type ToldUpdate = {
  readonly pageTitle: string
  readonly title: string
  readonly kind: StatusIncidentKind
  readonly impact: StatusImpact
  readonly incidentId: number
  readonly startedMs: number
  readonly plannedEndMs: number | null
  readonly state: StatusIncidentState
  readonly body: string
  readonly atMs: number
}

type Links = { readonly pageUrl: string; readonly unsubscribeUrl: string }

const MAX_SUBJECT_CHARS = 200

export function statusMailOf(update: ToldUpdate, { pageUrl, unsubscribeUrl }: Links): Mail {
  const { pageTitle, title, kind, impact, incidentId, state, body } = update
  const stateWord = STATE_WORDS[state]
  const url = `${pageUrl}/history#incident-${incidentId}`
  const facts: (readonly [string, string])[] = [
    ['Status', stateWord],
    ...(kind === 'incident' ? [['Impact', IMPACT_WORDS[impact]] as const] : []),
    [kind === 'incident' ? 'Since' : 'From', utc(update.startedMs)],
    ...(update.plannedEndMs === null ? [] : [['Until', utc(update.plannedEndMs)] as const]),
  ]
  const why = `You get this because you subscribed to ${pageTitle}.`
  const text = [
    title,
    '',
    body,
    '',
    ...facts.map(([name, value]) => `${name}: ${value}`),
    '',
    url,
    '',
    '-- ',
    why,
    `Unsubscribe: ${unsubscribeUrl}`,
  ].join('\n')
  const { paragraph, fact, link } = styles
  const html = htmlPage({
    title,
    above: `${pageTitle} · ${stateWord}`,
    body:
      paragraph(escaped(body).replaceAll('\n', '<br>')) +
      `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:12px 0">${facts.map(fact).join('')}</table>` +
      link('Open the status page', url),
    footer: `${escaped(why)} <a class="link" href="${escaped(unsubscribeUrl)}" style="color:#1a56c4">Unsubscribe</a>`,
  })
  return { subject: oneLine(`[${pageTitle}] ${stateWord}: ${title}`), text, html }
}

const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_SUBJECT_CHARS)
