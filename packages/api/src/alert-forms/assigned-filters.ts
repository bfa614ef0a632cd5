/** To whom the issues of a rule are assigned, in Sentry's words and in ours. Pure. */
import type { IssueRule } from '@sonde/alerts'
import { type Directory, memberOf, teamOf } from './directory.ts'
import { type FormItem, refuse, textOf } from './form.ts'
import type { FilterJson } from './item-schemas.ts'

export const ASSIGNED_TO = 'sentry.rules.filters.assigned_to.AssignedToFilter'
/** Several of them, or all but these: `match` is `in` or `nin`, `values` are `nobody`, `user:ID`, `team:ID`. */
export const ASSIGNED = 'sonde.filters.assigned_to'

type Assigned = NonNullable<IssueRule['assigned']>

export type ReadAssigned = {
  readonly assigned: Assigned | undefined
  /** The filters that are about events. */
  readonly others: readonly FormItem[]
}

/** Throws `InvalidInput` for what the rule cannot say, and for who is no member and no team. */
export function readAssigned(
  filters: readonly FormItem[],
  filterMatch: string,
  directory: Directory,
): ReadAssigned {
  const named = filters.filter(({ id }) => id === ASSIGNED_TO)
  const ours = filters.filter(({ id }) => id === ASSIGNED)
  const others = filters.filter(({ id }) => id !== ASSIGNED_TO && id !== ASSIGNED)
  const isNone = filterMatch === 'none'
  const [own] = ours
  if (own) {
    if (ours.length + named.length > 1) refuse('filters', `${ASSIGNED} stands alone: name them all in one`)
    if (filterMatch === 'any' && others.length > 0) refuse('filterMatch', ANY)
    return { assigned: readOwn(own, isNone, directory), others }
  }
  if (named.length === 0) return { assigned: undefined, others }
  const to = [...new Set(named.map((filter) => assigneeOf(filter, directory)))]
  if (filterMatch === 'any' && others.length > 0) refuse('filterMatch', ANY)
  if (filterMatch === 'all' && to.length > 1)
    refuse('filterMatch', '"all" of several assignees never holds: an issue has one. Use "any"')
  return { assigned: { isNot: isNone, to }, others }
}

const ANY = '"any" of an assignee and another filter is not supported: all of them hold'

function assigneeOf(filter: FormItem, directory: Directory): string {
  const who = textOf(filter, 'targetIdentifier')
  switch (textOf(filter, 'targetType')) {
    case 'Unassigned':
      return ''
    case 'Team':
      return `team:${teamOf(directory, 'filters', who)}`
    case 'Member':
      return `user:${memberOf(directory, 'filters', who)}`
    default:
      return refuse('filters', `${ASSIGNED_TO}: "targetType" is Unassigned, Team or Member`)
  }
}

function readOwn(filter: FormItem, isNone: boolean, directory: Directory): Assigned {
  const match = textOf(filter, 'match') ?? 'in'
  if (match !== 'in' && match !== 'nin') refuse('filters', `${ASSIGNED}: "match" is in or nin`)
  const values: unknown = filter['values']
  if (!Array.isArray(values)) return refuse('filters', `${ASSIGNED}: "values" is a list`)
  const to = values.map((value: unknown) => {
    const [, kind, who] = (typeof value === 'string' && /^(nobody$|user:|team:)(.*)$/.exec(value)) || []
    if (kind === 'nobody') return ''
    if (kind === 'team:') return `team:${teamOf(directory, 'filters', who)}`
    if (kind === 'user:') return `user:${memberOf(directory, 'filters', who)}`
    return refuse('filters', `${ASSIGNED}: "values" are nobody, user:ID and team:ID`)
  })
  return { isNot: (match === 'nin') !== isNone, to }
}

/** As the API says it where all filters hold. */
export function assignedFilters(assigned: IssueRule['assigned']): readonly FilterJson[] {
  if (!assigned) return []
  const { isNot, to } = assigned
  const [only = '', ...more] = to
  if (isNot || more.length > 0)
    return [{ id: ASSIGNED, match: isNot ? 'nin' : 'in', values: to.map((each) => each || 'nobody') }]
  if (only === '') return [{ id: ASSIGNED_TO, targetType: 'Unassigned', targetIdentifier: '' }]
  const targetType = only.startsWith('team:') ? 'Team' : 'Member'
  return [{ id: ASSIGNED_TO, targetType, targetIdentifier: only.slice(5) }]
}
