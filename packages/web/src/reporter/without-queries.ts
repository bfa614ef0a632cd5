/** What people search for stays out of reports: the query of every address in them is cut off. */
const WITH_QUERY = /^((?:[A-Z]+ )?(?:https?:\/\/[^\s?#]*|\/[^\s?#]*))\?\S*/

export function withoutQueries<T>(value: T): T {
  return cut(value) as T
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(WITH_QUERY, '$1')
  if (Array.isArray(value)) return value.map(cut)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner)]))
}
