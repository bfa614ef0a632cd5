/**
 * What the console offers of each table, in the order in which it is shown. A column that is not named here is not there:
 * where a row lies in our log, whole payloads, versions of rows. Checked against the engine by a test.
 */
export type SqlColumn = { readonly name: string; readonly about: string }
export type SqlTable = {
  readonly name: string
  readonly about: string
  /** `FINAL`: of rows that replace each other the last counts. */
  readonly isFinal: boolean
  readonly columns: readonly SqlColumn[]
}

const column = ([name, about]: readonly [string, string]): SqlColumn => ({ name, about })

const PROJECT = [
  ['project', 'Short name of the project'],
  ['project_id', 'Its number; narrows faster than the name'],
] as const
const FILTERS = [
  ['release', 'Release as the SDK named it'],
  ['environment', 'production, staging, …'],
  ['platform', 'javascript, node, python, …'],
  ['browser', 'Name of the browser'],
  ['os', 'Operating system'],
  ['device', 'mobile, tablet, desktop'],
  ['country', 'Two letters'],
  ['connection', '4g, 3g, …'],
  ['user_key', 'id:42, email:…; empty when nobody is known'],
  ['sdk_name', 'SDK that sent it'],
  ['sdk_version', 'Its version'],
] as const
const RATE = ['sample_rate', 'A row stands for 1 / sample_rate'] as const
const RECEIVED = ['received', 'When it arrived (UTC); weeks of it are stored apart'] as const
const ATTRIBUTES = [
  ['strings', "Attributes that are texts: strings['http.method']"],
  ['numbers', "Attributes that are numbers: numbers['http.status_code']"],
] as const

export const SQL_TABLES: readonly SqlTable[] = [
  {
    name: 'spans',
    about: 'What took time: transactions and everything inside them',
    isFinal: false,
    columns: [
      ...PROJECT,
      ['timestamp', 'When it began (UTC)'] as const,
      ['duration_ms', 'How long it took, in milliseconds'] as const,
      ['op', 'Kind of work: pageload, http.client, db, …'] as const,
      ['name', 'What was done: a statement, an address, a function'] as const,
      ['segment_name', 'Name of the transaction that it belongs to'] as const,
      ['is_segment', '1: it is the transaction itself'] as const,
      ['status', 'ok, internal_error, …; empty when nobody said'] as const,
      ['origin', 'What made the span'] as const,
      ['trace_id', '32 hex digits'] as const,
      ['span_id', '16 hex digits'] as const,
      ['parent_span_id', 'Empty for the first of a service'] as const,
      ['segment_id', 'span_id of its transaction'] as const,
      ...FILTERS,
      RATE,
      ...ATTRIBUTES,
      RECEIVED,
    ].map(column),
  },
  {
    name: 'vitals',
    about: 'Web vitals, one row a page and vital',
    isFinal: true,
    columns: [
      ...PROJECT,
      ['timestamp', 'When it was measured (UTC)'] as const,
      ['name', 'lcp, inp, cls, fcp, ttfb'] as const,
      ['value', 'Milliseconds; cls has no unit'] as const,
      ['route', 'Route template'] as const,
      ['page_id', 'One page load or soft navigation'] as const,
      ['element', 'Element that decided it'] as const,
      ['source', 'Its address'] as const,
      ['is_final', '1: the page had ended'] as const,
      ['trace_id', '32 hex digits'] as const,
      ['span_id', '16 hex digits'] as const,
      ...FILTERS,
      RATE,
      ...ATTRIBUTES,
      RECEIVED,
    ].map(column),
  },
  {
    name: 'navigations',
    about: 'Client-side navigations, one row each',
    isFinal: true,
    columns: [
      ...PROJECT,
      ['timestamp', 'When it began (UTC)'] as const,
      ['duration_ms', 'The whole of it'] as const,
      ['visible_after_ms', 'Until the new page was seen'] as const,
      ['from_route', 'Route it left'] as const,
      ['to_route', 'Route it went to'] as const,
      ['outcome', 'committed, errored, full_load, …'] as const,
      ['reason', 'Why it ended so'] as const,
      ['trigger', 'click, back, …'] as const,
      ['prefetch', 'What fetching ahead did for it'] as const,
      ['cache', 'hit, miss, …'] as const,
      ...(['intent', 'match', 'data', 'chunk', 'commit', 'paint', 'settled'] as const).map(
        (phase) => [`${phase}_ms`, `Milliseconds of the phase "${phase}"`] as const,
      ),
      ['from_path', 'Address it left'] as const,
      ['to_path', 'Address it went to'] as const,
      ['bytes', 'Fetched for it'] as const,
      ['requests', 'Made for it'] as const,
      ['build', 'Build of the page'] as const,
      ['router', 'Router of the page'] as const,
      ['navigation_id', '16 hex digits'] as const,
      ['trace_id', '32 hex digits'] as const,
      ...FILTERS,
      RATE,
      RECEIVED,
    ].map(column),
  },
  {
    name: 'prefetches',
    about: 'Routes fetched ahead, one row a page and route',
    isFinal: true,
    columns: [
      ...PROJECT,
      ['timestamp', 'When it was told (UTC)'] as const,
      ['route', 'Route that was fetched'] as const,
      ['issued', 'Fetched so often'] as const,
      ['used', 'Of these used'] as const,
      ['late', 'Came after the press'] as const,
      ['stale', 'Too old when needed'] as const,
      ['wasted', 'Never used'] as const,
      ['saved_ms', 'Milliseconds that people did not wait'] as const,
      ['router', 'Router of the page'] as const,
      ['trace_id', '32 hex digits'] as const,
      ...FILTERS,
      RATE,
      RECEIVED,
    ].map(column),
  },
  {
    name: 'events',
    about: 'Errors and messages, without their payload',
    isFinal: false,
    columns: [
      ...PROJECT,
      ['timestamp', 'When it happened (UTC)'] as const,
      ['issue_id', 'Number of its issue'] as const,
      ['event_id', '32 hex digits'] as const,
      ['type', 'error, default, csp, …'] as const,
      ['level', 'fatal, error, warning, info, debug'] as const,
      ['title', 'As in the list of issues'] as const,
      ['culprit', 'Where it happened'] as const,
      ['message', 'Text of a logged message'] as const,
      ['exception_type', 'TypeError, …'] as const,
      ['exception_value', 'Message of the exception'] as const,
      ['handled', 'yes, no, or empty'] as const,
      ['transaction', 'Route or task'] as const,
      ['url', 'Address of the page or request'] as const,
      ['release', 'Release as the SDK named it'] as const,
      ['dist', 'Build of the release'] as const,
      ['environment', 'production, staging, …'] as const,
      ['platform', 'javascript, node, python, …'] as const,
      ['browser', 'Browser with its version'] as const,
      ['os', 'Operating system with its version'] as const,
      ['device', 'Model of the device'] as const,
      ['user_key', 'id:42, email:…; empty when nobody is known'] as const,
      ['sdk_name', 'SDK that sent it'] as const,
      ['sdk_version', 'Its version'] as const,
      ['trace_id', '32 hex digits'] as const,
      ['span_id', '16 hex digits'] as const,
      ['tags', "Tags: tags['server_name']"] as const,
      RECEIVED,
    ].map(column),
  },
  {
    name: 'outcomes',
    about: 'What became of everything that was sent: add up quantity',
    isFinal: false,
    columns: [
      ...PROJECT,
      ['minute', 'Minute in which it ended (UTC)'] as const,
      ['category', 'error, transaction, span, …'] as const,
      ['outcome', 'accepted, filtered, rate_limited, invalid, …'] as const,
      ['reason', 'Why'] as const,
      ['quantity', 'How many; several rows may have the same minute'] as const,
      ['key_id', 'Number of the client key'] as const,
    ].map(column),
  },
]

export const SQL_TABLE_NAMES: ReadonlySet<string> = new Set(SQL_TABLES.map(({ name }) => name))
