/**
 * Writes `{name:Type}` parameters into the SQL as `CAST('…', 'Type')`, for both engines alike.
 * Not left to chDB: it keeps bound parameters in process-wide state, so its client runs every query with parameters
 * one after the other, and the pipeline's look-ups would wait behind the slowest screen
 * (https://github.com/chdb-io/chdb-node/blob/main/index.js, `runExclusiveParam`).
 * A constant cast is folded before the primary key is looked at, so nothing is lost against a bound parameter.
 */
import { SondeError } from '@sonde/base'
import type { QueryParams } from './telemetry.ts'

const PLACEHOLDER = /\{(\w+):([\w(), ']+)\}/g

/** Throws `SondeError` (internal) for a placeholder without a value: a bug in the query, never the visitor's fault. */
export function bindParameters(sql: string, params: QueryParams | undefined): string {
  return sql.replace(PLACEHOLDER, (_whole, name: string, type: string) => {
    const value = params && Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined) throw bad(name, `no value was given for {${name}:${type}}`)
    return literal(name, value, type)
  })
}

function literal(name: string, value: unknown, type: string): string {
  if (value === null) return 'NULL'
  return `CAST(${quote(typeof value === 'string' ? value : text(name, value, type))}, ${quote(type)})`
}

/** The engine's own text form of a value: what it reads for `type` out of a string. */
function text(name: string, value: unknown, type: string): string {
  if (Array.isArray(value)) {
    const tuple = inside(type, 'Tuple')
    if (tuple !== undefined) {
      const types = splitTypes(tuple)
      return `(${value.map((one, at) => nested(name, one, types[at] ?? 'String')).join(',')})`
    }
    const element = inside(type, 'Array')
    if (element === undefined) throw bad(name, `a list was given for ${type}`)
    return `[${value.map((one) => nested(name, one, element)).join(',')}]`
  }
  if (value instanceof Date) return instant(value.getTime(), type)
  if (typeof value === 'number' && Number.isFinite(value))
    return type.includes('DateTime64') ? instant(value, type) : String(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  throw bad(name, `a value of type ${typeof value} cannot be sent as ${type}`)
}

const nested = (name: string, value: unknown, type: string): string =>
  typeof value === 'string' ? quote(value) : text(name, value, type)

/** Unix milliseconds. Ten digits before the point: shorter ones are read as a calendar date (`1970` is a year). */
function instant(ms: number, type: string): string {
  if (!type.includes('DateTime64')) return String(Math.trunc(ms / 1000))
  const clamped = Math.max(0, ms)
  return `${String(Math.floor(clamped / 1000)).padStart(10, '0')}.${String(Math.floor(clamped % 1000)).padStart(3, '0')}`
}

function inside(type: string, outer: string): string | undefined {
  return type.startsWith(`${outer}(`) && type.endsWith(')') ? type.slice(outer.length + 1, -1) : undefined
}

function splitTypes(list: string): string[] {
  const types: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at <= list.length; at++) {
    const char = list[at]
    if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === undefined || (char === ',' && depth === 0)) {
      types.push(list.slice(from, at).trim())
      from = at + 1
    }
  }
  return types
}

// Backslash and quote are what could end the string; NUL because the text crosses a C boundary.
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\0': '\\0' }
function quote(value: string): string {
  // eslint-disable-next-line no-control-regex
  return `'${value.toWellFormed().replace(/[\\'\0]/g, (char) => ESCAPES[char] as string)}'`
}

function bad(name: string, message: string): SondeError {
  return new SondeError('internal', `query parameter ${name}: ${message}`, {
    operation: 'bind the parameters of a telemetry query',
    subject: name,
  })
}
