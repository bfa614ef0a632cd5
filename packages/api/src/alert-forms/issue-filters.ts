/** Which events of an issue rule count: Sentry's filters and our search. Pure. */
import { parseSearch } from '@sonde/queries'
import { ASSIGNED, ASSIGNED_TO } from './assigned-filters.ts'
import { type FormItem, refuse, textOf } from './form.ts'
import type { FilterJson } from './item-schemas.ts'

const SENTRY = 'sentry.rules.filters.'
const LEVEL = `${SENTRY}level.LevelFilter`
const TAG = `${SENTRY}tagged_event.TaggedEventFilter`
const ATTRIBUTE = `${SENTRY}event_attribute.EventAttributeFilter`
const CATEGORY = `${SENTRY}issue_category.IssueCategoryFilter`
/** A search as it is typed, for what filters cannot say. */
const SEARCH = 'sonde.filters.search'

/** The numbers that Sentry gives levels, the worst first. */
const LEVELS: readonly (readonly [number: number, level: string])[] = [
  [50, 'fatal'],
  [40, 'error'],
  [30, 'warning'],
  [20, 'info'],
  [10, 'debug'],
]

/** Tags that events have as fields here. */
const FIELDS: ReadonlySet<string> = new Set([
  'environment',
  'release',
  'dist',
  'level',
  'transaction',
  'url',
  'user',
])

/** Attribute of an event → field of our search. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['message', 'message'],
  ['platform', 'platform'],
  ['environment', 'environment'],
  ['type', 'event.type'],
  ['error.handled', 'error.handled'],
  ['error.unhandled', 'error.unhandled'],
  ['exception.type', 'error.type'],
  ['exception.value', 'error.value'],
  ['user.id', 'user.id'],
  ['user.email', 'user.email'],
  ['user.username', 'user.username'],
  ['user.ip_address', 'user.ip'],
  ['http.url', 'url'],
  ['sdk.name', 'sdk.name'],
])

type Term = { readonly key: string; readonly isNegated: boolean; readonly values: readonly string[] | 'any' }

/** Throws `InvalidInput` for what no search can say. */
export function readFilters(filters: readonly FormItem[], filterMatch: string): string {
  const whole = filters.filter(({ id }) => id === SEARCH).map((filter) => textOf(filter, 'query') ?? '')
  const terms = filters.flatMap((filter) => (filter.id === SEARCH ? [] : termsOf(filter)))
  if (filterMatch === 'any' && filters.length > 1) return anyOf(whole, terms)
  if (filterMatch === 'none' && whole.length > 0)
    refuse('filterMatch', `"none" cannot stand beside ${SEARCH}: negate the terms of its query`)
  const isNone = filterMatch === 'none'
  return [...whole, ...terms.map((term) => termText(term, isNone))].filter(Boolean).join(' ')
}

/** A search has no "or" but within one field. */
function anyOf(whole: readonly string[], terms: readonly Term[]): string {
  const [first] = terms
  const isOneField = terms.every(
    ({ key, isNegated, values }) => key === first?.key && !isNegated && values !== 'any',
  )
  if (first === undefined || whole.length > 0 || !isOneField)
    return refuse('filterMatch', '"any" of filters on different fields is not supported: all of them hold')
  const values = terms.flatMap((term) => (term.values === 'any' ? [] : term.values))
  return termText({ key: first.key, isNegated: false, values }, false)
}

const termText = ({ key, isNegated, values }: Term, isNone: boolean): string => {
  const not = isNegated === isNone ? '' : '!'
  if (values === 'any') return `${not}has:${key}`
  return `${not}${key}:${values.length === 1 ? values[0] : `[${values.join(', ')}]`}`
}

function termsOf(filter: FormItem): readonly Term[] {
  switch (filter.id) {
    case LEVEL:
      return [levelTerm(filter)]
    case TAG:
      return [matchTerm(filter, tagKey(filter), 'value')]
    case ATTRIBUTE: {
      const attribute = textOf(filter, 'attribute') ?? ''
      const key = ATTRIBUTES.get(attribute)
      if (key === undefined)
        return refuse(
          'filters',
          `${ATTRIBUTE}: "attribute" ${attribute} cannot be searched for. Supported are ${[...ATTRIBUTES.keys()].join(', ')}`,
        )
      return [matchTerm(filter, key, 'value')]
    }
    case CATEGORY:
      return [categoryTerm(filter)]
    default:
      return refuse(
        'filters',
        `${filter.id} is not supported. Supported are ${[LEVEL, TAG, ATTRIBUTE, CATEGORY, ASSIGNED_TO, SEARCH, ASSIGNED].join(', ')}`,
      )
  }
}

/** Sentry's numbers of the categories whose issues have events here: https://docs.sentry.io/api/alerts/ */
const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['1', 'error'],
  ['2', 'performance'],
  ['6', 'feedback'],
])

function categoryTerm(filter: FormItem): Term {
  const category = CATEGORIES.get(textOf(filter, 'value') ?? '')
  if (category === undefined)
    return refuse(
      'filters',
      `${CATEGORY}: "value" is ${[...CATEGORIES].map(([number, name]) => `${number} (${name})`).join(', ')}`,
    )
  return { key: 'issue.category', isNegated: false, values: [category] }
}

function levelTerm(filter: FormItem): Term {
  const number = Number(textOf(filter, 'level'))
  const match = textOf(filter, 'match') ?? 'eq'
  if (!LEVELS.some(([each]) => each === number))
    return refuse('filters', `${LEVEL}: "level" is one of ${LEVELS.map(([each]) => each).join(', ')}`)
  const holds: Readonly<Record<string, (each: number) => boolean>> = {
    eq: (each) => each === number,
    gte: (each) => each >= number,
    lte: (each) => each <= number,
  }
  const isIn = Object.hasOwn(holds, match) ? holds[match] : undefined
  if (!isIn) return refuse('filters', `${LEVEL}: "match" is eq, gte or lte`)
  return {
    key: 'level',
    isNegated: false,
    values: LEVELS.flatMap(([each, level]) => (isIn(each) ? [level] : [])),
  }
}

function tagKey(filter: FormItem): string {
  const key = textOf(filter, 'key') ?? refuse('filters', `${TAG}: "key" is needed`)
  if (FIELDS.has(key)) return key
  if (!/^[^\]"\n]{1,200}$/.test(key))
    refuse('filters', `${TAG}: "key" has at most 200 characters, no quotes and no "]"`)
  return `tags[${key}]`
}

function matchTerm(filter: FormItem, key: string, name: string): Term {
  const match = textOf(filter, 'match') ?? 'eq'
  if (match === 'is' || match === 'ns') return { key, isNegated: match === 'ns', values: 'any' }
  const value = textOf(filter, name) ?? refuse('filters', `${filter.id}: "${name}" is needed`)
  const known = Object.hasOwn(MATCHES, match) ? MATCHES[match] : undefined
  if (!known)
    return refuse(
      'filters',
      `${filter.id}: "match" ${match} is not one of ${Object.keys(MATCHES).join(', ')}, is, ns`,
    )
  return { key, isNegated: known.isNegated, values: known.values(value) }
}

/** For our search: quotes, and what means something within them. */
const quoted = (text: string, before = '', after = ''): string =>
  `"${before}${text.replaceAll(/[\\"*]/g, String.raw`\$&`)}${after}"`

type Match = { readonly isNegated: boolean; readonly values: (value: string) => readonly string[] }
const one =
  (before: string, after: string): Match['values'] =>
  (value) => [quoted(value, before, after)]
const several: Match['values'] = (value) =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => quoted(each))
const both = (
  names: readonly [is: string, not: string],
  values: Match['values'],
): readonly (readonly [string, Match])[] => [
  [names[0], { isNegated: false, values }],
  [names[1], { isNegated: true, values }],
]
const MATCHES: Readonly<Record<string, Match>> = Object.fromEntries([
  ...both(['eq', 'ne'], one('', '')),
  ...both(['co', 'nc'], one('*', '*')),
  ...both(['sw', 'nsw'], one('', '*')),
  ...both(['ew', 'new'], one('*', '')),
  ...both(['in', 'nin'], several),
])

/** Filters that say it, all of which hold; of what they cannot, the search itself. */
export function filtersOf(search: string): readonly FilterJson[] {
  if (search === '') return []
  const filters = parseSearch(search).map((term): FilterJson | undefined => {
    if (term.kind === 'text') return undefined
    const key = term.key.name
    if (term.kind === 'has')
      return term.key.isTag === FIELDS.has(key)
        ? undefined
        : { id: TAG, key, match: term.negated ? 'ns' : 'is' }
    const values = term.values.map(({ parts }) => (parts.length === 1 ? parts[0] : undefined))
    const isPlain = values.every((value) => value !== undefined && value !== '' && !value.includes(','))
    // A field of ours that Sentry has no tag of cannot be told from a tag of that name.
    if (!isPlain || term.operator !== '=' || term.key.isTag === FIELDS.has(key)) return undefined
    const match = values.length === 1 ? (term.negated ? 'ne' : 'eq') : term.negated ? 'nin' : 'in'
    return { id: TAG, key, match, value: values.join(',') }
  })
  const said = filters.filter((filter) => filter !== undefined)
  return said.length === filters.length ? said : [{ id: SEARCH, query: search }]
}
