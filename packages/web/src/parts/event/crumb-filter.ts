/** Which breadcrumbs are shown. Pure. */
import { type Breadcrumb, LEVELS } from '@sonde/protocol/event'

export type CrumbFilter = {
  readonly text: string
  /** Empty: all. */
  readonly category: string
  /** At least this loud; empty: all. */
  readonly level: string
}

export const NO_CRUMB_FILTER: CrumbFilter = { text: '', category: '', level: '' }

export const categoryOf = ({ category, type }: Breadcrumb): string => category ?? type

export function filterCrumbs(crumbs: readonly Breadcrumb[], filter: CrumbFilter): readonly Breadcrumb[] {
  const { category, level } = filter
  const text = filter.text.trim().toLowerCase()
  if (text === '' && category === '' && level === '') return crumbs
  const least = level === '' ? 0 : rankOf(level)
  return crumbs.filter(
    (crumb) =>
      (category === '' || categoryOf(crumb) === category) &&
      rankOf(crumb.level) >= least &&
      (text === '' || searchText(crumb).includes(text)),
  )
}

/** Categories with how often they are there, most frequent first. */
export function crumbCategories(crumbs: readonly Breadcrumb[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const crumb of crumbs) counts.set(categoryOf(crumb), (counts.get(categoryOf(crumb)) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

/** The levels that are there, quietest first: "at least" is a choice only between several. */
export const crumbLevels = (crumbs: readonly Breadcrumb[]): readonly string[] =>
  LEVELS.filter((level) => crumbs.some((crumb) => crumb.level === level))

const rankOf = (level: string): number => (LEVELS as readonly string[]).indexOf(level)

const searchText = ({ message = '', data, category = '', type }: Breadcrumb): string =>
  `${category} ${type} ${message} ${data ? JSON.stringify(data) : ''}`.toLowerCase()
