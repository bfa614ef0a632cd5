/** By which columns the rows of an alert are narrowed, of sources that have no search of their own. */
import { CHUNK_FAILURE_PREFIX, PAGE_DATA_FAILURE_PREFIX } from '@sonde/protocol/navigation'
import { FILTER_COLUMNS } from '@sonde/stores'
import type { Bind } from '../explore/bounded-query.ts'
import { parseSearch } from '../search/parse-search.ts'
import { refuseOperator } from '../search/search-fields.ts'
import { exactText, isPattern, likePattern, SearchError, type SearchTerm } from '../search/search-term.ts'
import type { MetricSource, WrittenSource } from './metric.ts'

/** `server requests`: of measures of prefetches that are taken of servers' spans. */
type Narrowed = Exclude<MetricSource, 'errors' | 'logs' | WrittenSource> | 'server requests'

const COLUMNS: Readonly<Record<Narrowed, ReadonlyMap<string, string>>> = {
  vitals: columns(['route', ...FILTER_COLUMNS], {
    transaction: 'route',
    'browser.name': 'browser',
    'os.name': 'os',
  }),
  navigations: columns(['from_route', 'to_route', 'outcome', 'trigger', 'build', ...FILTER_COLUMNS], {
    route: 'to_route',
    'browser.name': 'browser',
    'os.name': 'os',
  }),
  page_data: columns(FILTER_COLUMNS, {
    endpoint: 'name',
    route: `strings['${PAGE_DATA_FAILURE_PREFIX}route']`,
    'browser.name': 'browser',
    'os.name': 'os',
  }),
  chunks: columns(FILTER_COLUMNS, {
    route: `strings['${CHUNK_FAILURE_PREFIX}route']`,
    kind: `strings['${CHUNK_FAILURE_PREFIX}kind']`,
    build: `strings['${CHUNK_FAILURE_PREFIX}build']`,
    'browser.name': 'browser',
    'os.name': 'os',
  }),
  prefetches: columns(['route', ...FILTER_COLUMNS], { 'browser.name': 'browser', 'os.name': 'os' }),
  'server requests': columns(FILTER_COLUMNS, { route: 'segment_name', transaction: 'segment_name' }),
  profile_functions: columns(['function', 'file', 'transaction', ...FILTER_COLUMNS], {
    package: 'file',
    'browser.name': 'browser',
    'os.name': 'os',
  }),
  sessions: columns(['release', 'environment'], {}),
  outcomes: columns(['outcome', 'reason'], {}),
}

function columns(
  names: readonly string[],
  others: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  return new Map([...names.map((name) => [name, name] as const), ...Object.entries(others)])
}

/** Equality and patterns of the table's own columns: there is nothing else to search in. Throws `SearchError`. */
export function columnsWhere(source: Narrowed, search: string, bind: Bind): string {
  const known = COLUMNS[source]
  const conditions = parseSearch(search).map((term) => {
    const positive = columnCondition(term, known, source, bind)
    return term.negated ? `NOT (${positive})` : `(${positive})`
  })
  return conditions.join(' AND ') || '1'
}

function columnCondition(
  term: SearchTerm,
  known: ReadonlyMap<string, string>,
  source: Narrowed,
  bind: Bind,
): string {
  const column = term.kind === 'text' || term.key.isTag ? undefined : known.get(term.key.name)
  if (term.kind === 'text' || column === undefined)
    throw new SearchError(`${source} are narrowed by ${[...known.keys()].join(', ')}`, term.at)
  if (term.kind === 'has') return `${column} != ''`
  refuseOperator(term)
  return term.values
    .map((value) =>
      isPattern(value)
        ? `${column} ILIKE ${bind(likePattern(value))}`
        : `${column} = ${bind(exactText(value))}`,
    )
    .join(' OR ')
}
