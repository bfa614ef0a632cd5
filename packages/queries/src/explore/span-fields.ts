/**
 * Names of what a span has, as searches, groups and Sentry's public API say them. Every other name is an attribute: it may
 * be a text or a number, for nobody declared it. Maps, not objects: `__proto__` must be an attribute like any other.
 */
import type { Bind } from './bounded-query.ts'

/** `list`: a list of texts, any of which may match. */
export type FieldKind = 'text' | 'number' | 'duration' | 'flag' | 'time' | 'list'

export type SpanField = {
  readonly kind: FieldKind
  /** Over the columns of `spans`. */
  readonly sql: string
}

const text = (sql: string): SpanField => ({ kind: 'text', sql })
const DURATION: SpanField = { kind: 'duration', sql: 'duration_ms' }
const OP = text('op')
const NAME = text('name')
const TRANSACTION = text('segment_name')
const STATUS = text('status')
const IS_SEGMENT: SpanField = { kind: 'flag', sql: 'is_segment' }

/** Names of columns that every table has whose rows are of a program: spans, lines of logs. */
export const SHARED_FIELDS: readonly (readonly [name: string, field: SpanField])[] = [
  ['release', text('release')],
  ['environment', text('environment')],
  ['platform', text('platform')],
  ['browser', text('browser')],
  ['browser.name', text('browser')],
  ['os', text('os')],
  ['os.name', text('os')],
  ['device', text('device')],
  ['country', text('country')],
  ['connection', text('connection')],
  ['user', text('user_key')],
  ['user.id', text("if(startsWith(user_key, 'id:'), substring(user_key, 4), '')")],
  ['sdk.name', text('sdk_name')],
  ['sdk.version', text('sdk_version')],
  ['project.id', { kind: 'number', sql: 'project_id' }],
  ['timestamp', { kind: 'time', sql: 'timestamp' }],
]

const FIELDS: ReadonlyMap<string, SpanField> = new Map([
  ['op', OP],
  ['span.op', OP],
  ['name', NAME],
  ['span.name', NAME],
  ['description', NAME],
  ['span.description', NAME],
  ['transaction', TRANSACTION],
  ['segment', TRANSACTION],
  ['segment.name', TRANSACTION],
  ['duration', DURATION],
  ['span.duration', DURATION],
  ['transaction.duration', DURATION],
  ['status', STATUS],
  ['span.status', STATUS],
  ['trace.status', STATUS],
  ['origin', text('origin')],
  ['normalized_name', text('normalized_name')],
  ['span.normalized_name', text('normalized_name')],
  ['span.peer', text('peer')],
  ['span.result', text('result')],
  ['is_transaction', IS_SEGMENT],
  ['is_segment', IS_SEGMENT],
  ...SHARED_FIELDS,
  ['device.class', text('device')],
  ['trace', text('toString(trace_id)')],
  ['trace_id', text('toString(trace_id)')],
  ['id', text('toString(span_id)')],
  ['span_id', text('toString(span_id)')],
  ['parent_span', text('parent_span_id')],
  ['segment.id', text('segment_id')],
])

/** `isTag`: written as `tags[name]`, so it is an attribute even when a field has that name. */
export const spanFieldOf = (name: string, isTag = false): SpanField | undefined =>
  isTag ? undefined : FIELDS.get(name)

/** An attribute as the number it is; `has` says for which spans there is one. */
export const attributeNumber = (name: string, bind: Bind): { readonly sql: string; readonly has: string } => {
  const key = bind(name)
  return { sql: `numbers[${key}]`, has: `mapContains(numbers, ${key})` }
}

/** An attribute as a text, whichever it is. Empty: there is none. */
export function attributeText(name: string, bind: Bind): string {
  const key = bind(name)
  return `if(mapContains(numbers, ${key}), toString(numbers[${key}]), strings[${key}])`
}

const TAG = /^tags\[(.{1,200})\]$/s
/** `tags[x]` and `x`: what is meant, and whether a field may be. */
export function readName(written: string): { readonly name: string; readonly isTag: boolean } {
  const tag = TAG.exec(written)?.[1]
  return tag === undefined ? { name: written, isTag: false } : { name: tag, isTag: true }
}
