/** Which issues the message of a commit says it fixes: `Fixes SHOP-12, SHOP-13`. Pure, and linear in the message. */

const KEYWORDS: ReadonlySet<string> = new Set([
  'fix',
  'fixes',
  'fixed',
  'close',
  'closes',
  'closed',
  'resolve',
  'resolves',
  'resolved',
])
/** What may stand between a keyword and the issues, and between these. */
const BETWEEN: ReadonlySet<string> = new Set([':', ',', '&', '#', 'and'])

/** Words with their hyphens, and every other character alone: no two ways to read a text, so nothing is tried twice. */
const PARTS = /[\w-]+|[^\s\w-]/g
const SHORT_ID = /^([a-z0-9_-]{1,50})-([1-9]\d{0,14})$/

/** More in one message are a list of something else. */
const MAX_ISSUES = 100

export type NamedIssue = { readonly projectSlug: string; readonly number: number }

/** Each once, in the order of the message. */
export function issuesFixedBy(message: string): readonly NamedIssue[] {
  const found = new Map<string, NamedIssue>()
  let isAfterKeyword = false
  for (const [part] of message.matchAll(PARTS)) {
    const word = part.toLowerCase()
    if (KEYWORDS.has(word)) isAfterKeyword = true
    else if (isAfterKeyword && !BETWEEN.has(word)) {
      const [, projectSlug, number] = SHORT_ID.exec(word) ?? []
      isAfterKeyword = projectSlug !== undefined
      if (projectSlug !== undefined) found.set(word, { projectSlug, number: Number(number) })
      if (found.size >= MAX_ISSUES) break
    }
  }
  return [...found.values()]
}
