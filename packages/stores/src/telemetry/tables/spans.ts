/**
 * Spans: what took time. Routes come first in the key (`is_segment = 1` and an op is one range of it, a route in it
 * another), times within them. A trace is found through a bloom filter on its id: its spans lie under many routes.
 */
import { escapeText, listText, numberText } from '../row-text.ts'
import { attributeColumns } from './column.ts'
import { BY_TIME, BY_TRACE, FILTERS, ORIGIN } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

// What rows of before these columns have: near to what the pipeline writes now, and one expression of the engine's.
// Frozen with its migration.
const IS = {
  query: "op = 'db' OR startsWith(op, 'db.')",
  request: "op = 'http.client' OR startsWith(op, 'http.client.')",
  asset: "startsWith(op, 'resource.')",
  cache: "startsWith(op, 'cache.')",
  queue: "op IN ('queue.publish', 'queue.process')",
} as const
const firstOf = (...names: readonly string[]): string =>
  names.reduceRight((rest, name) => `if(strings['${name}'] != '', strings['${name}'], ${rest})`, "''")
const STATEMENT = String.raw`trimBoth(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(substring(name, 1, 4096), '\\s+', ' '), '\'(?:[^\'\\\\]|\\\\.|\'\')*\'|[$:]?\\b[0-9][\\w.]*|%s', '?'), '\\?(?:, ?\\?)+', '?'))`
const ADDRESS = String.raw`arrayStringConcat(arrayMap(part -> if(match(part, '^(?:[0-9]+|[0-9a-fA-F-]{16,})$'), '*', part), splitByChar('/', cutQueryStringAndFragment(substring(name, 1, 4096)))), '/')`
const ASSET = String.raw`replaceRegexpOne(${ADDRESS}, '([-.])[0-9A-Za-z_-]{8,}((?:\\.[A-Za-z][A-Za-z0-9]{0,9})+)$', '\\1*\\2')`
const KEY = String.raw`replaceRegexpAll(if(strings['cache.key'] != '', strings['cache.key'], name), '\\b[0-9]+\\b', '*')`

const BEFORE = {
  name: `substring(multiIf(${IS.query}, ${STATEMENT}, ${IS.request}, ${ADDRESS}, ${IS.asset}, ${ASSET}, ${IS.cache}, ${KEY}, ${IS.queue}, ${firstOf('messaging.destination.name')}, ''), 1, 1000)`,
  peer: `multiIf(${IS.query} OR ${IS.cache}, ${firstOf('db.system.name', 'db.system')}, ${IS.request} OR ${IS.asset}, if(strings['server.address'] != '' AND NOT (${IS.asset}), strings['server.address'], domain(splitByChar(' ', substring(name, 1, 4096))[-1])), ${IS.queue}, strings['messaging.system'], '')`,
  result: `multiIf(${IS.request}, if(mapContains(numbers, 'http.response.status_code'), toString(numbers['http.response.status_code']), ''), ${IS.asset}, strings['resource.render_blocking_status'], ${IS.cache}, transform(strings['cache.hit'], ['true', 'false'], ['hit', 'miss'], ''), '')`,
} as const
const NUMBERS_BEFORE = {
  bytes: `multiIf(${IS.request}, numbers['http.response_content_length'], ${IS.asset}, numbers['http.response_transfer_size'], ${IS.cache}, numbers['cache.item_size'], ${IS.queue}, numbers['messaging.message.body.size'], 0)`,
  decoded: `if(${IS.asset}, numbers['http.decoded_response_content_length'], 0)`,
  wait: `if(${IS.queue}, numbers['messaging.message.receive.latency'], 0)`,
} as const
/** Links of before: those of OpenTelemetry as JSON in an attribute, the page before this one in another. */
const LINKS = "JSONExtractArrayRaw(strings['otel.links'])"
const PREVIOUS = "strings['sentry.previous_trace']"
const linksBefore = (ofLink: string, ofPrevious: string): string =>
  `if(${PREVIOUS} = '', arrayMap(link -> ${ofLink}, ${LINKS}), [${ofPrevious}])`
const LINKS_BEFORE = {
  traces: linksBefore("lower(JSONExtractString(link, 'trace_id'))", `substring(${PREVIOUS}, 1, 32)`),
  spans: linksBefore("lower(JSONExtractString(link, 'span_id'))", `substring(${PREVIOUS}, 34, 16)`),
  attributes: linksBefore("'{}'", `'{"sentry.link.type":"previous_trace"}'`),
} as const

/** Left out of a row: empty, or 0. */
const word = (text: string | undefined): string => escapeText(text ?? '')
const list = (texts: readonly string[] | undefined): string => listText(texts ?? [])
const number = (value: number | undefined): string => numberText(value ?? 0)

/** What was broken off or has no status is no failure. */
export const HAS_FAILED = `status NOT IN ('', 'ok', 'cancelled', 'unknown', 'unset')`
/** Of a root its name, of all others nothing: what they lie below is not summed up apart. */
export const ROOT_NAME = `if(is_segment = 1, segment_name, '')`
// `!= ''` would be `notEmpty` in the query by the time the engine compares it with the projection.
const WHO = 'is_segment = 1 AND notEmpty(user_key)'
// The pipeline writes no rate of 0; one that came another way must not keep its insert from ending.
const WEIGHT = 'toUInt32(least(round(1 / sample_rate), 4e9))'
/** Who waits longer is miserable: four times what satisfies (https://www.apdex.org). */
const MISERY_MS = 1_200

/**
 * Sums of spans, by name: what the projection below holds, and what a query must ask for letter for letter, or the engine
 * would not take it from there. States of quantiles answer for every level.
 */
export const SPAN_SUMS = {
  sampled: 'count()',
  counted: 'sum(1 / sample_rate)',
  squares: 'sum(pow(1 / sample_rate, 2))',
  spentMs: 'sum(duration_ms / sample_rate)',
  failed: `sumIf(1 / sample_rate, ${HAS_FAILED})`,
  levels: `quantileBFloat16WeightedState(0.75)(duration_ms, ${WEIGHT})`,
  shortest: 'min(duration_ms)',
  longest: 'max(duration_ms)',
  first: 'min(timestamp)',
  last: 'max(timestamp)',
  firstRelease: `argMinIfState(release, timestamp, notEmpty(release))`,
  sizes: 'sum(bytes / sample_rate)',
  sized: 'sumIf(1 / sample_rate, bytes > 0)',
  decodedSizes: 'sum(decoded_bytes / sample_rate)',
  decoded: 'sumIf(1 / sample_rate, decoded_bytes > 0)',
  fromCache: 'sumIf(1 / sample_rate, bytes = 0 AND decoded_bytes > 0)',
  waits: `quantileBFloat16WeightedIfState(0.75)(wait_ms, ${WEIGHT}, wait_ms > 0)`,
  below: 'uniqCombined64State(12)(segment_name)',
  people: `uniqCombinedIfState(14)(cityHash64(user_key), ${WHO})`,
  miserable: `uniqCombinedIfState(14)(cityHash64(user_key), ${WHO} AND duration_ms > ${MISERY_MS})`,
} as const

const WEEK = `project_id, is_segment, op, ${ROOT_NAME}, normalized_name, peer, result, environment, toMonday(timestamp)`

export const SPANS = {
  name: 'spans',
  columns: [
    ...ORIGIN,
    { name: 'is_segment', type: 'UInt8', codec: 'ZSTD(1)', about: '1: it is the transaction itself' },
    { name: 'op', type: 'LowCardinality(String)', about: 'Kind of work: pageload, http.client, db, …' },
    {
      // Name of the root: the route template where it is known.
      name: 'segment_name',
      type: 'LowCardinality(String)',
      about: 'Name of the transaction that it belongs to',
    },
    {
      // Unix milliseconds with a fraction: spans within one millisecond keep their order.
      name: 'timestamp',
      type: "DateTime64(6, 'UTC')",
      codec: 'Delta, ZSTD(1)',
      field: 'startMs',
      about: 'When it began (UTC)',
    },
    {
      name: 'duration_ms',
      type: 'Float64',
      codec: 'ZSTD(1)',
      about: 'How long it took, in milliseconds',
    },
    { name: 'trace_id', type: 'FixedString(32)', codec: 'ZSTD(1)', about: '32 hex digits' },
    { name: 'span_id', type: 'FixedString(16)', codec: 'ZSTD(1)', about: '16 hex digits' },
    { name: 'parent_span_id', type: 'String', codec: 'ZSTD(1)', about: 'Empty for the first of a service' },
    { name: 'segment_id', type: 'String', codec: 'ZSTD(1)', about: 'span_id of its transaction' },
    {
      name: 'name',
      type: 'String',
      codec: 'ZSTD(1)',
      about: 'What was done: a statement, an address, a function',
    },
    {
      name: 'status',
      type: 'LowCardinality(String)',
      about: 'ok, internal_error, …; empty when nobody said',
    },
    { name: 'origin', type: 'LowCardinality(String)', about: 'What made the span' },
    {
      name: 'normalized_name',
      type: 'LowCardinality(String)',
      before: BEFORE.name,
      write: word,
      about: 'A query, an address, a file, a key of a cache or a queue, without values',
    },
    {
      name: 'peer',
      type: 'LowCardinality(String)',
      before: BEFORE.peer,
      write: word,
      about: 'Host, or system of the database, cache or queue',
    },
    {
      name: 'result',
      type: 'LowCardinality(String)',
      before: BEFORE.result,
      write: word,
      about: 'Status code of a request; hit or miss of a cache; blocking or non-blocking of an asset',
    },
    {
      name: 'bytes',
      type: 'Float32',
      codec: 'ZSTD(1)',
      before: NUMBERS_BEFORE.bytes,
      write: number,
      about: 'Size of an answer, an asset, an item of a cache or a message; 0: nobody said',
    },
    {
      name: 'decoded_bytes',
      type: 'Float32',
      codec: 'ZSTD(1)',
      before: NUMBERS_BEFORE.decoded,
      write: number,
      about: 'Size of an asset after decompression',
    },
    {
      name: 'wait_ms',
      type: 'Float32',
      codec: 'ZSTD(1)',
      before: NUMBERS_BEFORE.wait,
      write: number,
      about: 'How long a message waited in its queue, in milliseconds',
    },
    {
      name: 'link_trace_ids',
      type: 'Array(String)',
      codec: 'ZSTD(1)',
      before: LINKS_BEFORE.traces,
      write: list,
      about: 'Traces of the spans that it links to: the messages of a batch, the page before',
    },
    {
      name: 'link_span_ids',
      type: 'Array(String)',
      codec: 'ZSTD(1)',
      before: LINKS_BEFORE.spans,
      write: list,
      about: 'The linked spans, in the order of link_trace_ids',
    },
    {
      name: 'link_attributes',
      type: 'Array(String)',
      codec: 'ZSTD(1)',
      before: LINKS_BEFORE.attributes,
      write: list,
      about: 'What each link says of itself, as JSON',
    },
    ...FILTERS,
    ...attributeColumns('attributes'),
  ],
  indexes: [BY_TRACE, BY_TIME, 'linked_traces link_trace_ids TYPE bloom_filter(0.01) GRANULARITY 1'],
  // A week's spans by what they did: a projection, as on vitals. Nothing replaces a span, so it holds in every part. Its
  // rows are large; with small granules a screen reads those of its ops.
  projections: [
    `by_week (SELECT ${WEEK}, ${Object.values(SPAN_SUMS).join(', ')} GROUP BY ${WEEK}) WITH SETTINGS (index_granularity = 512)`,
  ],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, is_segment, op, segment_name, timestamp',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK},
  lightweight_mutation_projection_mode = 'rebuild'`,
  console: {
    about: 'What took time: transactions and everything inside them',
    first: ['timestamp', 'duration_ms', 'op', 'name', 'segment_name', 'is_segment', 'status', 'origin'],
  },
} as const satisfies Table
