/** Fields that several kinds of channels have, and how their texts are kept within what the other side takes. */
import { OutgoingError, readUrl } from '@sonde/outgoing'
import { z } from 'zod'
import type { Message } from '../messages/message.ts'

/** What `Outgoing` can send to; whether it may, the guard says when it is tried. */
export const urlField = z
  .string('is needed')
  .trim()
  .superRefine((text, context) => {
    try {
      readUrl(text)
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      context.addIssue({ code: 'custom', message: error.message })
    }
  })

/** A token or key: one line of visible characters. */
export const keyField = z
  .string('is needed')
  .trim()
  .min(1, 'is needed')
  .max(512, 'has at most 512 characters')
  .regex(/^[\x21-\x7e]+$/, 'has no spaces')

export const JSON_HEADERS = { 'content-type': 'application/json' } as const

/** At most so many UTF-16 units, as all of these services count; never half a character. */
export function clip(text: string, chars: number): string {
  if (text.length <= chars) return text
  const cut = text.slice(0, chars - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** One line, whatever a program wrote. */
export const oneLine = (text: string, chars: number): string =>
  clip(text.replaceAll(/\s+/g, ' ').trim(), chars)

/** What a message knows, without what would be shown as empty: some of these services refuse that. */
export const shownFacts = (
  facts: Message['facts'],
  { max, nameChars, valueChars }: FactLimits,
): readonly (readonly [name: string, value: string])[] =>
  facts
    .map(([name, value]) => [oneLine(name, nameChars), oneLine(value, valueChars)] as const)
    .filter(([name, value]) => name !== '' && value !== '')
    .slice(0, max)

export type FactLimits = { readonly max: number; readonly nameChars: number; readonly valueChars: number }

/** Whole lines, as many as fit: half a link would be shown as text. */
export function fitting(lines: readonly string[], chars: number): string {
  let text = ''
  for (const line of lines) {
    if (text.length + line.length + 1 > chars) break
    text += `${text === '' ? '' : '\n'}${line}`
  }
  return text
}
