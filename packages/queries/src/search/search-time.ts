/** Times in searches and periods in addresses. */
import { exactText, type FilterTerm, SearchError, type SearchOperator } from './search-term.ts'

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
const PERIOD = /^(\d{1,6})([smhdw])$/
const RELATIVE = /^([+-])(\d{1,6})([smhdw])$/

/** `24h`, `14d`, `90m` → milliseconds; undefined for anything else. */
export function parsePeriodMs(text: string): number | undefined {
  const match = PERIOD.exec(text)
  return match ? Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? 0) : undefined
}

export type TimeBound = { readonly operator: SearchOperator; readonly ms: number }

/**
 * `-24h`: within the last 24 hours; `+24h`: longer ago; `>2026-01-31`, `<=2026-01-31T10:00:00Z`: UTC unless the text
 * says otherwise. Throws `SearchError`.
 */
export function timeBound(term: FilterTerm, nowMs: number): TimeBound {
  const text = term.values.length === 1 && term.values[0] ? exactText(term.values[0]) : ''
  const relative = RELATIVE.exec(text)
  if (relative && term.operator === '=') {
    const ms = nowMs - Number(relative[2]) * (UNIT_MS[relative[3] ?? ''] ?? 0)
    return { operator: relative[1] === '-' ? '>=' : '<=', ms }
  }
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms) || term.operator === '=') {
    throw new SearchError(
      `"${term.key.name}" needs a time`,
      term.at,
      `For example ${term.key.name}:-24h, ${term.key.name}:+7d or ${term.key.name}:>2026-01-31.`,
    )
  }
  return { operator: term.operator, ms }
}
