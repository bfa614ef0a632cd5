/** Keys and values as text that the search reads back as exactly these. */
import { eventColumnOf, issueFieldOf } from '../search/search-fields.ts'

/** Undefined for the few names that no form of the grammar can hold. A tag with a field's name becomes `tags[…]`. */
export function keyText(name: string, isTag: boolean): string | undefined {
  const isField =
    issueFieldOf({ name, isTag: false }) !== undefined || eventColumnOf({ name, isTag: false }) !== undefined
  if ((!isTag || (!isField && name !== 'has')) && /^[A-Za-z0-9_.-]+$/.test(name)) return name
  return /^[^\]"\n]{1,200}$/.test(name) ? `tags[${name}]` : undefined
}

/** In quotes when it has to be; `*`, `"` and `\` lose their meaning. */
export const valueText = (value: string): string =>
  /^[A-Za-z0-9_@+-][A-Za-z0-9_@/+.:()=-]*$/.test(value) ? value : `"${value.replace(/[\\"*]/g, '\\$&')}"`
