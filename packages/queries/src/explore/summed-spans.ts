/** What of Explore can be read from sums of spans: where nothing is asked for that they do not tell apart. */
import type { Conditions, PerformanceFilter } from '../performance/performance-filter.ts'
import { type SpanSum, spanSums, type SpanSumsInput } from '../performance/span-sums.ts'
import type { QueryDeps } from '../query-deps.ts'
import type { SearchSubject } from './span-conditions.ts'

/** By what sums are told apart, as fields say it. */
const COLUMNS: ReadonlySet<string> = new Set([
  'op',
  'normalized_name',
  'peer',
  'result',
  'environment',
  'is_segment',
  'project_id',
])

/** A subject that remembers of what its searches were, and so whether sums could answer them. */
export function watchedSubject(subject: SearchSubject & { readonly table: string }): {
  readonly subject: SearchSubject
  readonly isSummed: () => boolean
} {
  let isSummed = subject.table === 'spans'
  return {
    isSummed: () => isSummed,
    subject: {
      ...subject,
      fieldOf(name, isTag) {
        const field = subject.fieldOf(name, isTag)
        isSummed &&= field !== undefined && isSummedColumn(field.sql)
        return field
      },
      textCondition(pattern, bind) {
        isSummed = false
        return subject.textCondition(pattern, bind)
      },
    },
  }
}

/** Whether a field's SQL is one of what sums are told apart by; the name of a project is made of its id. */
export const isSummedColumn = (sql: string): boolean =>
  COLUMNS.has(sql) || sql.startsWith('transform(project_id, ')

/** `where`: of the window; `search`: which of its spans. */
export const exploredSums = (
  deps: Pick<QueryDeps, 'telemetry'>,
  {
    filter,
    where,
    search,
    by,
    sums,
    steps,
  }: {
    readonly filter: PerformanceFilter
    readonly where: Conditions
    readonly search: string
    readonly by: Readonly<Record<string, string>>
    readonly sums: readonly SpanSum[]
    readonly steps?: SpanSumsInput['steps']
  },
): Promise<Conditions> =>
  spanSums(deps, {
    filter,
    where,
    which: () => search,
    by: Object.fromEntries(Object.entries(by).map(([name, sql]) => [name, () => sql])),
    sums: [...new Set(sums)],
    ...(steps && { steps }),
  })
