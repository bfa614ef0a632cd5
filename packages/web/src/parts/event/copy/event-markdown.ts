/**
 * An event as Markdown, to paste into an issue, a chat or an assistant: enough to understand it without opening
 * Sonde, short enough to be read. What scrubbing removed is not in the event and so not here.
 */
import type { Breadcrumb, Frame, NormalizedEvent } from '@sonde/protocol/event'
import { listExceptions } from '../exception-tree.ts'
import { codeLines, frameFunction, frameLocation } from '../frame-groups.ts'
import { highlights } from '../highlights.ts'
import { code, cut, fence, line } from './markdown.ts'
import { stackText } from './stack-text.ts'

const MAX_CRUMBS = 30
const MAX_TAGS = 40
const MAX_CODE_FRAMES = 3

/** The stacks alone. */
export function stackMarkdown(event: NormalizedEvent): string {
  return `${fence(stackText(event), '')}\n`
}

/** `url` leads back to the event. */
export function copyEvent(event: NormalizedEvent, about: { shortId: string; url: string }): string {
  const { title, culprit } = event.derived
  const message = event.logentry?.formatted ?? event.logentry?.message ?? ''
  const isMessageNews = message !== '' && message !== title
  const sections: readonly (readonly [string, string])[] = [
    ['', facts(event, about)],
    ['Message', isMessageNews ? fence(cut(message), '') : ''],
    ['Stack trace', fence(stackText(event), '')],
    ['Code', codeOf(event)],
    ['Breadcrumbs (latest last)', crumbs(event)],
    ['Tags', (event.tags ?? []).slice(0, MAX_TAGS).map(pairLine).join('\n')],
    ['Request', requestOf(event)],
    ['Extra', event.extra ? fence(cut(JSON.stringify(event.extra, undefined, 2), 3_000), 'json') : ''],
  ]
  const head = `# ${line(title)}\n${culprit === '' ? '' : `\nin ${code(culprit)}\n`}`
  const body = sections.flatMap(([name, text]) =>
    text === '' ? [] : [name === '' ? text : `## ${name}\n\n${text}`],
  )
  return `${[head, ...body]
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

function facts(event: NormalizedEvent, { shortId, url }: { shortId: string; url: string }): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Issue', shortId],
    ['Event', event.event_id],
    ['Time', new Date(event.timestamp * 1000).toISOString()],
    ['Level', event.level],
    ['Platform', event.platform],
    ...highlights(event).map(({ name, value }) => [name, value] as const),
    ['SDK', [event.sdk?.name, event.sdk?.version].filter((part) => part !== undefined).join(' ')],
  ]
  const lines = rows.flatMap(([name, value]) => (value === '' ? [] : [`- **${name}:** ${code(value)}`]))
  return [...lines, `- **Link:** <${url}>`].join('\n')
}

/** The lines around the application's most recent calls of what was thrown. */
export function codeOf(event: NormalizedEvent): string {
  const [first] = listExceptions(event.exception ?? [])
  const frames = first?.exception.stacktrace?.frames ?? []
  return frames
    .filter((frame) => frame.in_app && frame.context_line !== undefined && frame.context_line !== '')
    .toReversed()
    .slice(0, MAX_CODE_FRAMES)
    .map(frameCode)
    .join('\n\n')
}

function frameCode(frame: Frame): string {
  const lines = codeLines(frame).map(
    ({ number, text, isCurrent }) => `${isCurrent ? '>' : ' '} ${number ?? ''} | ${text.slice(0, 300)}`,
  )
  return `${code(frameLocation(frame))} in ${code(frameFunction(frame))}\n\n${fence(lines.join('\n'), '')}`
}

function crumbs({ breadcrumbs = [] }: NormalizedEvent): string {
  const shown = breadcrumbs.slice(-MAX_CRUMBS).map(crumbLine)
  const left = breadcrumbs.length - shown.length
  return [...(left > 0 ? [`- … ${left} earlier`] : []), ...shown].join('\n')
}

export function crumbLine({ timestamp, category, type, level, message, data }: Breadcrumb): string {
  const clock = timestamp === undefined ? '' : `${new Date(timestamp * 1000).toISOString().slice(11, 23)} `
  const text = [message, data && JSON.stringify(data)].filter((part) => part !== undefined && part !== '')
  const loud = level === 'info' || level === 'debug' ? '' : ` **${level}**`
  return `- ${clock}${code(category ?? type)}${loud}${text.length > 0 ? ` ${code(cut(text.join(' '), 300))}` : ''}`
}

function requestOf({ request }: NormalizedEvent): string {
  if (!request) return ''
  const head = [request.method, request.url].filter((part) => part !== undefined).join(' ')
  const rows = (request.headers ?? []).slice(0, 20).map(pairLine)
  return [...(head === '' ? [] : [code(head)]), ...(rows.length > 0 ? [rows.join('\n')] : [])].join('\n\n')
}

export const pairLine = ([key, value]: readonly [string, string]): string =>
  `- ${code(key)}: ${code(cut(value, 300))}`
