/** An event in lines of text, for a language model: the stacks with the code around the application's own frames. Pure. */
import type { Breadcrumb, Exception, Frame, NormalizedEvent, Stacktrace } from '@sonde/protocol/event'
import { plainLine, plainText } from './plain-text.ts'

const MAX_FRAMES = 40
const MAX_CODE_FRAMES = 6
const MAX_CODE_CHARS = 300
const MAX_CONTEXT_LINES = 5
const MAX_VALUE_CHARS = 2_000

/** The thrown one first, then its causes; of each the newest call first. */
export function stackLines({ exception = [], threads = [] }: NormalizedEvent): readonly string[] {
  const budget = { code: MAX_CODE_FRAMES }
  if (exception.length > 0)
    return exception
      .toReversed()
      .flatMap((each, at) => [
        ...(at === 0 ? [] : ['', 'caused by']),
        ...exceptionHead(each),
        ...framesOf(each.stacktrace, budget),
      ])
  const crashed =
    threads.find(({ crashed: is, stacktrace }) => is && stacktrace) ??
    threads.find(({ stacktrace }) => stacktrace)
  return crashed ? framesOf(crashed.stacktrace, budget) : []
}

function exceptionHead({ type = 'Error', value = '', mechanism }: Exception): readonly string[] {
  const handled = mechanism?.handled === undefined ? '' : mechanism.handled ? ' (handled)' : ' (not handled)'
  const text = plainText(value.slice(0, MAX_VALUE_CHARS))
  const left = value.length > MAX_VALUE_CHARS ? [`… (${value.length - MAX_VALUE_CHARS} characters more)`] : []
  return [`${plainLine(type, 200)}: ${text}${handled}`, ...left]
}

function framesOf(stack: Stacktrace | undefined, budget: { code: number }): readonly string[] {
  const frames = stack?.frames.toReversed() ?? []
  const shown = frames.slice(0, MAX_FRAMES)
  const lines = shown.flatMap((frame) => {
    const hasCode = frame.in_app && frame.context_line !== undefined && budget.code > 0
    if (hasCode) budget.code -= 1
    return [`  at ${frameText(frame)}`, ...(hasCode ? codeLines(frame) : [])]
  })
  return frames.length > shown.length ? [...lines, `  … ${frames.length - shown.length} frames more`] : lines
}

function frameText({
  function: name,
  module,
  filename,
  abs_path,
  lineno,
  colno,
  in_app,
  problem,
}: Frame): string {
  const file = plainLine(filename ?? module ?? abs_path ?? 'unknown', 300)
  const place = [file, lineno, colno].filter((part) => part !== undefined).join(':')
  const own = in_app ? ', in app' : ''
  const unread = problem === undefined ? '' : `, not readable: ${problem.reason}`
  return `${plainLine(name ?? '<anonymous>', 200)} (${place}${own}${unread})`
}

function codeLines({
  pre_context = [],
  context_line = '',
  post_context = [],
  lineno,
}: Frame): readonly string[] {
  const before = pre_context.slice(-MAX_CONTEXT_LINES)
  const rows = [...before, context_line, ...post_context.slice(0, MAX_CONTEXT_LINES)]
  return rows.map((row, at) => {
    const number = lineno === undefined ? '' : String(lineno - before.length + at)
    const text = plainText(row.slice(0, MAX_CODE_CHARS)).replaceAll('\n', ' ')
    return `    ${at === before.length ? '>' : ' '} ${number.padStart(5)} | ${text}`
  })
}

/** The newest last. */
export function breadcrumbLines({ breadcrumbs = [] }: NormalizedEvent, max: number): readonly string[] {
  const shown = breadcrumbs.slice(-max)
  const left = breadcrumbs.length - shown.length
  return [...(left > 0 ? [`… ${left} earlier ones`] : []), ...shown.map((crumb) => crumbLine(crumb))]
}

function crumbLine({ timestamp, category, type, level, message, data }: Breadcrumb): string {
  const clock = timestamp === undefined ? '' : `${new Date(timestamp * 1000).toISOString().slice(11, 23)} `
  const text = [message, data && JSON.stringify(data)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
  return `- ${clock}${plainLine(category ?? type, 60)}, ${level}: ${plainLine(text, 300)}`
}
