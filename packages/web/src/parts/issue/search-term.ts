/** A tag and its value as a term of the search: what a press on a tag asks for. */
const PLAIN_KEY = /^[A-Za-z0-9_.-]+$/
const PLAIN_VALUE = /^[A-Za-z0-9_.@/+-]+$/

/** Names that the search reads as a field with another meaning than the tag's. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
  'is',
  'has',
  'title',
  'culprit',
  'location',
  'issue',
  'issue.id',
  'project',
  'project.name',
  'project.id',
  'age',
  'timesSeen',
  'times_seen',
  'firstSeen',
  'first_seen',
  'lastSeen',
  'last_seen',
  'message',
  'id',
])

/** `browser.name:Firefox`, `os:"Mac OS X"`, `tags[title]:x`. Line breaks become spaces: the search is one line. */
export function searchTerm(key: string, value: string): string {
  const name = PLAIN_KEY.test(key) && !OTHER_FIELDS.has(key) ? key : tagName(key)
  const text = oneLine(value)
  return PLAIN_VALUE.test(text) ? `${name}:${text}` : `${name}:"${text.replaceAll(/[\\"*]/g, '\\$&')}"`
}

/** Quotes, backslashes and closing brackets cannot stand in a tag's name; tags that SDKs send have none. */
function tagName(key: string): string {
  return PLAIN_KEY.test(key) ? `tags[${key}]` : `tags["${oneLine(key).replaceAll(/["\\\]]/g, '')}"]`
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n\t]+/g, ' ')
