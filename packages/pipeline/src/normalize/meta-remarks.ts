/**
 * Where in the event a reader is, and the place where remarks go. Paths are built only when something is remarked,
 * so that the common event pays nothing for them.
 */
import type { FieldRemark, Json, ProcessingError } from '@sonde/protocol/event'

export type RemarkKind =
  | 'trimmed'
  | 'invalid'
  | 'clock_drift'
  | 'past_timestamp'
  | 'future_timestamp'
  | 'scrubbed'

export type Remarks = { meta: Record<string, FieldRemark> | undefined; errors: ProcessingError[] }

export type Scope = {
  readonly remarks: Remarks
  readonly up: Scope | undefined
  readonly key: string | number
}

// A hostile event must not turn into a list of complaints larger than itself.
const MAX_ERRORS = 100
const MAX_REMARKS = 300
const MAX_ERROR_VALUE = 200

export function createRemarks(): Remarks {
  return { meta: undefined, errors: [] }
}

export function rootScope(remarks: Remarks): Scope {
  return { remarks, up: undefined, key: '' }
}

export function within(scope: Scope, key: string | number): Scope {
  return { remarks: scope.remarks, up: scope, key }
}

function pathOf(scope: Scope, key?: string | number): string {
  const parts: (string | number)[] = key === undefined ? [] : [key]
  for (let at: Scope | undefined = scope; at?.up; at = at.up) parts.unshift(at.key)
  return parts.join('.').toWellFormed().slice(0, 400).replaceAll('\0', '')
}

/** Adds a remark to a field of `scope`; a rule that is there already is not added again. */
export function remark(
  scope: Scope,
  key: string | number | undefined,
  kind: RemarkKind,
  rule: string,
  originalLength?: number,
): void {
  const path = pathOf(scope, key)
  const meta = (scope.remarks.meta ??= Object.create(null) as Record<string, FieldRemark>)
  const before = meta[path]
  if (before === undefined && Object.keys(meta).length >= MAX_REMARKS) return
  const known = before?.remarks ?? []
  const length = before?.originalLength ?? originalLength
  if (known.some((entry) => entry.rule === rule && entry.kind === kind)) return
  meta[path] = {
    remarks: [...known, { rule, kind }],
    ...(length === undefined ? undefined : { originalLength: length }),
  }
}

/** The field is left out; `errors` has the value, shortened. */
export function invalid(
  scope: Scope,
  key: string | number | undefined,
  value: unknown,
  type = 'invalid_data',
): void {
  const name = pathOf(scope, key)
  remark(scope, key, 'invalid', '!invalid')
  const { errors } = scope.remarks
  if (errors.length < MAX_ERRORS) errors.push({ type, name, value: shorten(value) })
}

function shorten(value: unknown): Json {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value === 'string') return value.slice(0, MAX_ERROR_VALUE).toWellFormed().replaceAll('\0', '')
  return Array.isArray(value) ? '[list]' : `[${typeof value}]`
}
