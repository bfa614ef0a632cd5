/** Names of what a function of a profile has, as Sentry's public API says them. There are no attributes. */
import { ExploreError } from '../explore/bounded-query.ts'
import type { ExploreSubject } from '../explore/explore-spans.ts'
import { SHARED_FIELDS, type SpanField } from '../explore/span-fields.ts'
import { FEWER_PROFILES } from './list-profiles.ts'

const text = (sql: string): SpanField => ({ kind: 'text', sql })
/** In the function itself, of one profile. */
const SELF: SpanField = { kind: 'duration', sql: 'self_ms' }

const FIELDS: ReadonlyMap<string, SpanField> = new Map([
  ['function', text('function')],
  ['package', text('file')],
  ['file', text('file')],
  ['transaction', text('transaction')],
  ['is_application', { kind: 'flag', sql: 'in_app' }],
  ['profile.id', text('toString(profile_id)')],
  ['function.duration', SELF],
  ['function.self_time', SELF],
  ['function.total_time', { kind: 'duration', sql: 'total_ms' }],
  ['samples', { kind: 'number', sql: 'samples' }],
  ...SHARED_FIELDS,
])

function functionFieldOf(name: string, isTag = false): SpanField {
  const field = isTag ? undefined : FIELDS.get(name)
  if (field === undefined)
    throw new ExploreError(`functions have no "${name}"`, `Known are ${[...FIELDS.keys()].join(', ')}.`)
  return field
}

const COMPUTED = /^(?:count_unique|avg|p50|p75|p90|p95|p99|p100|sum|min|max)\(/
const COUNTED: ReadonlyMap<string, string> = new Map([
  ['count()', 'count()'],
  ['cpm()', 'epm()'],
  ['epm()', 'epm()'],
  ['eps()', 'eps()'],
])

/** Each row is a function in one profile; nothing is counted up, for which profiles are taken is the sender's to choose. */
export const FUNCTION_ROWS: ExploreSubject = {
  fieldOf: functionFieldOf,
  textCondition: (pattern, bind) => `function ILIKE ${bind(pattern)}`,
  table: 'profile_functions',
  narrowing: FEWER_PROFILES,
  ties: ['profile_id', 'function', 'file'],
  measured: { fieldOf: functionFieldOf, duration: 'self_ms', each: '1', weight: '1' },
  measureOf(written) {
    const measure = COMPUTED.test(written) ? written : COUNTED.get(written)
    if (measure === undefined)
      throw new ExploreError(
        `"${written}" cannot be computed of functions`,
        'Known are count(), cpm(), count_unique(…), avg, sum, min, max and p50 to p100 of function.duration.',
      )
    return measure
  },
}
