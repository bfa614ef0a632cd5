/**
 * The entries that lie in the records. Empty: pages of every domain may send. Never throws: a damaged row must not
 * close the door to everybody.
 */
export function readAllowedDomains(text: unknown): readonly string[] {
  if (typeof text !== 'string') return []
  try {
    const stored: unknown = JSON.parse(text)
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}
