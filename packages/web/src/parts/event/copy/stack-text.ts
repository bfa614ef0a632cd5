/** Stacks as plain text, in the form that the language itself prints: pasted anywhere, people and tools know it. */
import type { Exception, Frame, NormalizedEvent } from '@sonde/protocol/event'
import { exceptionName, listExceptions, type Relation } from '../exception-tree.ts'
import { frameFunction, frameLocation } from '../frame-groups.ts'

const MAX_FRAMES = 100
const MAX_VALUE = 4_000

const SAID: Readonly<Record<Relation, string>> = {
  thrown: '',
  cause: 'Caused by: ',
  context: 'While handling: ',
  member: 'In the group: ',
}

/** All exceptions, the thrown one first; of an event without any, the stack of its most telling thread. */
export function stackText(event: Pick<NormalizedEvent, 'exception' | 'threads' | 'platform'>): string {
  const listed = listExceptions(event.exception ?? [])
  if (listed.length === 0) {
    const threads = event.threads ?? []
    const thread = threads.find(({ crashed, current }) => crashed === true || current === true) ?? threads[0]
    return thread?.stacktrace ? framesText(thread.stacktrace.frames, event.platform) : ''
  }
  return listed
    .map(({ exception, relation }) => SAID[relation] + exceptionText(exception, event.platform))
    .join('\n\n')
}

/** One exception with its frames. */
function exceptionText(exception: Exception, platform: string): string {
  const frames = exception.stacktrace?.frames ?? []
  const head = headOf(exception)
  if (frames.length === 0) return head
  const text = framesText(frames, platform)
  return platform === 'python' ? `Traceback (most recent call last):\n${text}\n${head}` : `${head}\n${text}`
}

function headOf(exception: Exception): string {
  const name = exceptionName(exception)
  const value = (exception.value ?? '').slice(0, MAX_VALUE)
  const isNamedByValue = exception.type === undefined || exception.type === ''
  return value === '' || isNamedByValue ? name : `${name}: ${value}`
}

/** Python tells the oldest call first, everybody else the most recent. */
function framesText(frames: readonly Frame[], platform: string): string {
  const recent = frames.slice(-MAX_FRAMES)
  const left = frames.length - recent.length
  const lines = platform === 'python' ? recent.map(pythonFrame) : recent.toReversed().map(atFrame)
  const note = left > 0 ? [`  … ${left} earlier frames`] : []
  return (platform === 'python' ? [...note, ...lines] : [...lines, ...note]).join('\n')
}

function pythonFrame(frame: Frame): string {
  const place = frame.abs_path ?? frame.filename ?? frame.module ?? '?'
  const code = frame.context_line?.trim() ?? ''
  const line = `  File "${place}", line ${frame.lineno ?? '?'}, in ${frameFunction(frame)}`
  return code === '' ? line : `${line}\n    ${code.slice(0, 300)}`
}

function atFrame(frame: Frame): string {
  const place = frameLocation(frame)
  return place === '' ? `    at ${frameFunction(frame)}` : `    at ${frameFunction(frame)} (${place})`
}
