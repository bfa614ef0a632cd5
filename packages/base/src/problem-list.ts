/** Warnings and errors that this process logged, for the operator's page: alike ones are one entry with a count. */
import { currentScope } from './scope.ts'

export type LoggedProblem = {
  readonly level: string
  /** As the line has it: a fixed text. */
  readonly message: string
  /** Of the error in the line, its first line; empty: there was none. */
  readonly error: string
  readonly count: number
  readonly firstMs: number
  readonly lastMs: number
  /** Of the last one. */
  readonly requestId: string | undefined
}

/** More kinds than these are one fault in many shapes: the latest tell it. */
const MAX_PROBLEMS = 50
const MAX_CHARS = 300

export function createProblemList(nowMs: () => number = Date.now) {
  // In the order of their last time.
  const found = new Map<string, LoggedProblem>()
  return {
    /** `args` as the method of the logger got them. */
    add(level: string, args: readonly unknown[]): void {
      const [first, second] = args
      const said = typeof first === 'string' ? first : typeof second === 'string' ? second : ''
      const message = cut([said, workOf(first)].filter((text) => text !== '').join(': '))
      const error = cut(errorText(first))
      const id = `${level} ${message}`
      const before = found.get(id)
      const atMs = nowMs()
      found.delete(id)
      found.set(id, {
        level,
        message: message === '' ? error : message,
        error: message === '' ? '' : error,
        count: (before?.count ?? 0) + 1,
        firstMs: before?.firstMs ?? atMs,
        lastMs: atMs,
        requestId: currentScope()?.requestId,
      })
      const [oldest] = found.keys()
      if (found.size > MAX_PROBLEMS && oldest !== undefined) found.delete(oldest)
    },
    list: (): readonly LoggedProblem[] => [...found.values()].toReversed(),
  }
}

/** Fields of a line that say which work it is about, with fixed texts. */
function workOf(line: unknown): string {
  if (typeof line !== 'object' || line === null) return ''
  const { operation, job } = line as { readonly operation?: unknown; readonly job?: unknown }
  return typeof operation === 'string' ? operation : typeof job === 'string' ? job : ''
}

function errorText(value: unknown): string {
  const error = typeof value === 'object' && value !== null && 'err' in value ? value.err : value
  return error instanceof Error ? `${error.name}: ${error.message}` : ''
}

const cut = (text: string): string => {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line
}
