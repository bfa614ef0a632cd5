/**
 * What scrubbing rules take out of stored rows, table by table: a literal list, so that a new table does not compile until
 * somebody said it. It is what the stages of each kind scrub as it arrives; events are scrubbed as the events they are.
 */
import { type RowTable, TABLES } from '@sonde/stores'

type RowKind = {
  /** With where a row came from these name it. */
  readonly own: readonly string[]
  readonly texts: readonly string[]
  readonly lists?: readonly string[]
  /** Lists of JSON objects. */
  readonly json?: readonly string[]
  /** It has the two maps `strings` and `numbers`. */
  readonly attributes?: true
}
type NoTexts = { readonly none: string }

/** What a row says of its program and its user was read from attributes, which are scrubbed. */
const FACTS = ['release', 'environment', 'browser', 'os', 'user_key'] as const

const KINDS: Readonly<Record<RowTable, RowKind | NoTexts>> = {
  spans: {
    own: ['trace_id', 'span_id'],
    texts: ['name', 'segment_name', 'normalized_name', 'peer', ...FACTS],
    json: ['link_attributes'],
    attributes: true,
  },
  logs: { own: ['row_index'], texts: ['body', ...FACTS], attributes: true },
  metrics: { own: ['row_index'], texts: FACTS, attributes: true },
  vitals: {
    own: ['name', 'page_id', 'span_id'],
    texts: ['route', 'element', 'source', ...FACTS],
    attributes: true,
  },
  navigations: {
    own: ['navigation_id'],
    texts: [
      'from_route',
      'to_route',
      'from_path',
      'to_path',
      'reason',
      'build',
      'router',
      'waiting_for',
      ...FACTS,
    ],
  },
  prefetches: { own: ['prefetch_id'], texts: ['route', 'router', ...FACTS] },
  tabs: { own: ['page_id'], texts: ['build', ...FACTS] },
  profiles: { own: ['profile_id'], texts: ['transaction', ...FACTS] },
  profile_functions: {
    own: ['profile_id', 'function', 'file', 'in_app'],
    texts: ['transaction', ...FACTS],
  },
  replays: {
    own: ['replay_id', 'segment', 'kind'],
    texts: FACTS,
    lists: ['urls', 'rage_selectors', 'dead_selectors'],
  },
  sessions: { none: 'numbers, and a hash in the place of the user' },
  check_ins: { none: 'what a monitor is called and how its run ended' },
}

export type ScrubbedTable = Exclude<RowTable, 'sessions' | 'check_ins'>

/** In this order; a run that is interrupted remembers the place in it, so new ones come at the end. */
export const SCRUBBED_TABLES: readonly ScrubbedTable[] = [
  'spans',
  'logs',
  'metrics',
  'vitals',
  'navigations',
  'prefetches',
  'tabs',
  'profiles',
  'profile_functions',
  'replays',
]

export function kindOf(table: ScrubbedTable): RowKind {
  const kind = KINDS[table]
  if ('none' in kind) throw new Error(`${table} is not scrubbed: ${kind.none}`)
  return kind
}

/** Columns that `scrubRow` reads. */
export function scrubbedColumns(table: ScrubbedTable): readonly string[] {
  const { texts, lists = [], json = [], attributes } = kindOf(table)
  return [...texts, ...lists, ...json, ...(attributes ? ['strings', 'numbers'] : [])]
}

/** Names one revision of a row among those of its project: the columns are small ones, which every part can be asked for. */
export const rowIdOf = (table: ScrubbedTable): string =>
  `toString(sipHash64(${['log_partition', 'log_position', 'item_index', 'revision', ...kindOf(table).own].join(', ')}))`

/** Columns of the order behind the project, with their types. */
export function keyOf(table: ScrubbedTable): readonly { readonly name: string; readonly type: string }[] {
  const columns: readonly { readonly name: string; readonly type: string }[] = TABLES[table].columns
  return TABLES[table].orderBy
    .split(', ')
    .slice(1)
    .map((name) => ({ name, type: columns.find((column) => column.name === name)?.type ?? 'String' }))
}
