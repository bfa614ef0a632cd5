/**
 * What browsers report beside violations of a policy (https://www.w3.org/TR/reporting-1/): requests that failed below HTTP
 * (https://www.w3.org/TR/network-error-logging/), pages that crashed (https://wicg.github.io/crash-reporting/), and what a
 * page uses that is deprecated or that the browser stepped in against (https://wicg.github.io/deprecation-reporting/).
 */
import type { EventType } from '@sonde/protocol/event'
import { isObject, lenientText, type RawObject } from './read-fields.ts'

/** Raw fields of the event that it becomes. */
export type BrowserReport = {
  readonly type: EventType
  readonly logger: string
  readonly level: 'error' | 'warning'
  readonly report: RawObject
  readonly message: string
  readonly url?: string
  readonly referrer?: string
  /** Milliseconds between what happened and the report: failed requests are told when the network is back. */
  readonly ageMs: number
  readonly tags: readonly (readonly [string, unknown])[]
}

type Read = (body: RawObject, host: string) => Pick<BrowserReport, 'type' | 'level' | 'message' | 'tags'>

const READERS: Readonly<Record<string, Read>> = {
  'network-error': (body, host) => ({
    type: 'nel',
    level: 'error',
    message: `Network error ${text(body.type) || 'unknown'}${host && `: ${host}`}`,
    tags: [
      ['nel.type', body.type],
      ['nel.phase', body.phase],
      ['http.method', body.method],
      ['http.status_code', body.status_code],
      ['network.protocol', body.protocol],
      ['nel.sampling_fraction', body.sampling_fraction],
    ],
  }),
  crash: (body) => ({
    type: 'default',
    level: 'error',
    message: `The page crashed: ${text(body.reason) || 'unknown reason'}`,
    tags: [['crash.reason', body.reason]],
  }),
  deprecation: (body) => used('Deprecated', body),
  intervention: (body) => used('The browser intervened', body),
}

const used = (word: string, body: RawObject): ReturnType<Read> => ({
  type: 'default',
  level: 'warning',
  message: `${word}: ${text(body.message) || text(body.id) || 'unknown'}`,
  tags: [
    ['report.id', body.id],
    ['report.source', sourceOf(body)],
  ],
})

function sourceOf(body: RawObject): string | undefined {
  const file = text(body.sourceFile)
  const [line, column] = [body.lineNumber, body.columnNumber]
  if (file === '') return undefined
  return `${file}${typeof line === 'number' ? `:${line}` : ''}${typeof column === 'number' ? `:${column}` : ''}`
}

export const isBrowserReport = (raw: unknown): raw is RawObject & { readonly type: string } =>
  isObject(raw) && typeof raw.type === 'string' && Object.hasOwn(READERS, raw.type) && isObject(raw.body)

/** Undefined: of another kind. */
export function readBrowserReport(raw: RawObject): BrowserReport | undefined {
  if (!isBrowserReport(raw)) return undefined
  const read = READERS[raw.type]
  const body = raw.body as RawObject
  const url = text(raw.url)
  const referrer = text(body.referrer)
  return (
    read && {
      ...read(body, hostOf(url)),
      logger: raw.type,
      report: body,
      ...(url !== '' && { url }),
      ...(referrer !== '' && { referrer }),
      ageMs: typeof raw.age === 'number' && raw.age > 0 ? raw.age : 0,
    }
  )
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}

const text = (value: unknown): string => lenientText(value)?.trim() ?? ''
