/** Errors and messages as rows of Explore's API: fields as searches name them, every other name is a tag. */
import { ExploreError, type Narrowing } from '../explore/bounded-query.ts'
import type { ExploreInput, ExploreSubject } from '../explore/explore-spans.ts'
import type { SpanField } from '../explore/span-fields.ts'
import type { PerformanceFilter } from '../performance/performance-filter.ts'
import { eventColumnOf, issueFieldOf, tagColumnOf } from '../search/search-fields.ts'

const text = (sql: string): SpanField => ({ kind: 'text', sql })

const FIELDS: ReadonlyMap<string, SpanField> = new Map([
  ['timestamp', { kind: 'time', sql: 'timestamp' }],
  ['project.id', { kind: 'number', sql: 'project_id' }],
  ['issue.id', { kind: 'number', sql: 'issue_id' }],
  ['issue', text('toString(issue_id)')],
])

/** It stands in a statement between quotes. */
const TAG = /^[\w .:/@-]{1,200}$/

function eventFieldOf(name: string, isTag = false): SpanField {
  const key = { name, isTag }
  const known = isTag ? undefined : FIELDS.get(name)
  if (known) return known
  const column = eventColumnOf(key) ?? tagColumnOf(key)
  if (column !== undefined) return text(column)
  if (issueFieldOf(key) !== undefined)
    throw new ExploreError(`"${name}" is a field of issues, not of events`, 'Ask the list of issues for it.')
  if (!TAG.test(name)) throw new ExploreError(`"${name}" is no name of a field or a tag`)
  return text(`tags['${name}']`)
}

const FEWER_EVENTS: Narrowing = { what: 'events', hint: 'Choose a shorter time, or fewer projects.' }
const COMPUTED = /^(?:count|epm|eps|last_seen|first_seen)\(\)$|^count_unique\(.+\)$/

/** An event that is stored counts for those like it that were only counted; users are of those that are stored. */
export const EVENT_ROWS: ExploreSubject = {
  fieldOf: eventFieldOf,
  textCondition: (pattern, bind) => `title ILIKE ${bind(pattern)}`,
  table: 'events',
  narrowing: FEWER_EVENTS,
  ties: ['event_id'],
  // There is no duration: what is computed has no number of its own.
  measured: { fieldOf: eventFieldOf, duration: '0', each: '(1 + left_out)', weight: '(1 + left_out)' },
  measureOf(written) {
    if (COMPUTED.test(written)) return written
    throw new ExploreError(
      `"${written}" cannot be computed of events`,
      'Known are count(), count_unique(…), epm(), eps(), first_seen() and last_seen().',
    )
  },
}

type Asked = PerformanceFilter & Pick<ExploreInput, 'query'>

/** Without feedback and slow work, which are events of issues too. Throws `ExploreError` for what events do not have. */
export function errorsAlone<Input extends Asked>(input: Input): Input {
  for (const column of ['country', 'connection'] as const)
    if (input[column]?.length) throw new ExploreError(`events have no "${column}"`)
  return { ...input, query: `${input.query ?? ''} !event.type:feedback !event.type:performance_*` }
}
