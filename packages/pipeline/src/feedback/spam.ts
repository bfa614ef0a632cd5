/**
 * Which feedback goes to the tab "Spam" instead of the inbox. It is kept either way: a person's words are never dropped.
 * The rules: docs/feedback.md.
 */
export type SpamReason = 'empty' | 'links' | 'repeated' | 'rate'

const MIN_LETTERS = 2
const MAX_LINKS = 3

/** What the words alone say. */
export function spamOfText(message: string | undefined): SpamReason | undefined {
  const text = message?.trim() ?? ''
  if (text.length < MIN_LETTERS) return 'empty'
  return linksIn(text) > MAX_LINKS ? 'links' : undefined
}

function linksIn(text: string): number {
  const lower = text.toLowerCase()
  let count = 0
  for (const start of ['http://', 'https://']) {
    for (let at = lower.indexOf(start); at >= 0; at = lower.indexOf(start, at + start.length)) count++
  }
  return count
}

export type EarlierFeedback = {
  readonly message: string
  /** The address of the sender; empty: none was given. */
  readonly contact: string
  readonly atMs: number
}

const HOUR_MS = 3_600_000
/** Of one address within an hour: a person who writes more is a program. */
const MAX_AN_HOUR = 10

/** `earlier`: of the same project, of the last day. Without an address nobody knows that two are of one sender. */
export function spamOfHistory(
  { message, contact, atMs }: EarlierFeedback,
  earlier: readonly EarlierFeedback[],
): SpamReason | undefined {
  if (contact === '') return undefined
  const own = earlier.filter((each) => each.contact === contact)
  if (own.some((each) => each.message === message)) return 'repeated'
  return own.filter((each) => each.atMs > atMs - HOUR_MS).length >= MAX_AN_HOUR ? 'rate' : undefined
}
