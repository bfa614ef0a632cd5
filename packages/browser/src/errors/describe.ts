/** A name and a sentence for whatever can be thrown. */
import { cut, describeElement } from '../normalize.ts'

/** Also of another frame's window, where `instanceof` says no. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || /^\[object (\w*Error|DOMException)]$/.test({}.toString.call(value))
}

export function describe(thrown: unknown): { type: string; value: string } {
  if (isError(thrown)) return { type: thrown.name || 'Error', value: `${thrown.message}` }
  if (typeof Response === 'function' && thrown instanceof Response)
    return { type: 'Response', value: `${thrown.status} ${thrown.statusText} ${thrown.url}` }
  if (thrown instanceof Event) {
    const target = thrown.target instanceof Node ? ' at ' + describeElement(thrown.target) : ''
    return { type: thrown.constructor.name, value: thrown.type + target }
  }
  if (thrown && typeof thrown === 'object') {
    const { name, message } = thrown as { name?: unknown; message?: unknown }
    return {
      type: typeof name === 'string' ? name : 'Object',
      value: typeof message === 'string' ? message : 'with keys ' + Object.keys(thrown).sort().join(', '),
    }
  }
  return { type: 'Error', value: cut(String(thrown)) }
}
