/** A term that a search reads back as exactly this value: what a press on a group narrows to. */
export function termFor(field: string, value: string | number | boolean | null): string {
  const isPlain = /^[A-Za-z0-9_.-]+$/.test(field)
  const key = isPlain ? field : `tags[${field}]`
  if (value === null || value === '') return isPlain ? `!has:${key}` : `!has:"${key}"`
  const text = String(value)
  return /^[A-Za-z0-9_@+-][A-Za-z0-9_@/+.:()=-]*$/.test(text)
    ? `${key}:${text}`
    : `${key}:"${text.replace(/[\\"*]/g, '\\$&')}"`
}
