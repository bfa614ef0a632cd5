/** Names as senders give them: kept for people to read, never used as a path. */

const MAX_NAME_CHARS = 255
const MAX_TYPE_CHARS = 100
const UNNAMED = 'unnamed'
const DEFAULT_TYPE = 'event.attachment'

/** Separators stay: `C:\logs\app.log` says where it was. Control characters go; a long one keeps its ending. */
export function attachmentName(filename: unknown): string {
  const text = typeof filename === 'string' ? filename.replaceAll(/\p{Cc}/gu, '').trim() : ''
  if (text.length <= MAX_NAME_CHARS) return text === '' ? UNNAMED : text.toWellFormed()
  const ending = /\.[^./\\\s]{1,16}$/.exec(text)?.[0] ?? ''
  return (cut(text, MAX_NAME_CHARS - ending.length) + ending).toWellFormed()
}

export function attachmentType(type: unknown): string {
  const text = typeof type === 'string' ? type.toLowerCase() : ''
  return /^[a-z0-9_.]{1,64}$/.test(text) ? text : DEFAULT_TYPE
}

/** As it was said, if it is a media type at all. */
export function contentType(type: unknown): string {
  const text = typeof type === 'string' ? type.trim().toLowerCase() : ''
  return /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/.test(text) ? text.slice(0, MAX_TYPE_CHARS) : ''
}

/** Not between the two halves of a character outside the basic plane. */
function cut(text: string, maxChars: number): string {
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1))
  return text.slice(0, isHalf ? maxChars - 1 : maxChars)
}
