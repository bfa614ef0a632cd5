/** An uptime monitor as it is stored and as people send it: what is asked, what is right, when it counts as down, whom it tells. */
import type { Seal } from '@sonde/access'
import { OutgoingError, readUrl } from '@sonde/outgoing'
import { z } from 'zod'
import { ACTIONS, ENVIRONMENT } from '../rules/rule.ts'
import { readJsonPath } from './json-path.ts'
import { readStatuses } from './status-list.ts'
import { UPTIME_INTERVALS, UPTIME_LIMITS, UPTIME_METHODS } from './uptime-words.ts'

/** RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** They say how the request is framed and where it goes. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
])
const isLine = (text: string): boolean =>
  Array.from(text).every((char) => char === '\t' || (char >= ' ' && char <= 'ÿ' && char !== '\u007f'))

const url = z
  .string()
  .trim()
  .superRefine((text, context) => {
    try {
      if (readUrl(text).username !== '')
        context.addIssue({ code: 'custom', message: 'put the password into a secret header: authorization' })
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      context.addIssue({ code: 'custom', message: error.message })
    }
  })

const header = z.object({
  name: z
    .string()
    .trim()
    .regex(HEADER_NAME, 'is not the name of a header')
    .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), 'is written by Sonde itself'),
  /** Of a secret one empty: its value lies sealed beside the monitor. */
  value: z
    .string()
    .max(UPTIME_LIMITS.headerChars, `a header has at most ${UPTIME_LIMITS.headerChars} characters`)
    .refine(isLine, 'a header is one line'),
  isSecret: z.boolean().default(false),
})

const texts = z
  .array(z.string().min(1).max(UPTIME_LIMITS.textChars, `at most ${UPTIME_LIMITS.textChars} characters`))
  .max(UPTIME_LIMITS.texts, `at most ${UPTIME_LIMITS.texts}`)
  .default([])

export const UPTIME_MONITOR = z
  .object({
    url,
    method: z.enum(UPTIME_METHODS).default('GET'),
    intervalSec: z
      .int('is a whole number of seconds')
      .refine(
        (seconds) => (UPTIME_INTERVALS as readonly number[]).includes(seconds),
        `is one of ${UPTIME_INTERVALS.join(', ')} seconds`,
      )
      .default(60),
    timeoutMs: z.int().min(100, 'is at least 0.1 s').max(60_000, 'is at most 60 s').default(10_000),
    headers: z.array(header).max(UPTIME_LIMITS.headers, `at most ${UPTIME_LIMITS.headers}`).default([]),
    body: z
      .string()
      .max(UPTIME_LIMITS.bodyChars, `has at most ${UPTIME_LIMITS.bodyChars} characters`)
      .default(''),
    statuses: z
      .string()
      .trim()
      .max(200)
      .refine((text) => readStatuses(text) !== undefined, 'write statuses such as 200-299, 301')
      .default('200-299'),
    maxResponseMs: z.int().min(1).max(60_000).optional(),
    contains: texts,
    notContains: texts,
    json: z
      .array(
        z.object({
          path: z
            .string()
            .trim()
            .max(200)
            .refine((text) => readJsonPath(text) !== undefined, 'write a path such as data.items[0].state'),
          equals: z.string().max(UPTIME_LIMITS.textChars),
        }),
      )
      .max(UPTIME_LIMITS.jsonPaths, `at most ${UPTIME_LIMITS.jsonPaths}`)
      .default([]),
    /** Fails when the certificate ends sooner. */
    certificateDays: z.int().min(1).max(365).optional(),
    maxRedirects: z.int().min(0).max(UPTIME_LIMITS.redirects).default(5),
    /** The name must not be found, and the resolver's words have this text: `ENOTFOUND`. */
    dnsFailure: z.string().trim().max(UPTIME_LIMITS.textChars).optional(),
    /** Down when so many of the last checks failed. */
    failures: z.int().min(1).max(UPTIME_LIMITS.window).default(3),
    failuresOf: z.int().min(1).max(UPTIME_LIMITS.window).default(3),
    /** Up again when so many in a row were right. */
    recoveries: z.int().min(1).max(UPTIME_LIMITS.window).default(2),
    environment: ENVIRONMENT,
    actions: ACTIONS.default([{ type: 'members' }]).refine(
      (actions) =>
        actions.every(({ type }) => type !== 'owner' && type !== 'issue_owners' && type !== 'tracker'),
      'a monitor tells members, people, teams and channels',
    ),
  })
  .superRefine(({ failures, failuresOf, method, body, intervalSec, timeoutMs }, context) => {
    if (failures > failuresOf)
      context.addIssue({
        code: 'custom',
        path: ['failures'],
        message: 'is at most the number of checks looked at',
      })
    if (body !== '' && (method === 'GET' || method === 'HEAD'))
      context.addIssue({ code: 'custom', path: ['body'], message: `${method} sends no body` })
    if (timeoutMs > intervalSec * 1_000)
      context.addIssue({ code: 'custom', path: ['timeoutMs'], message: 'is at most the interval' })
  })
export type UptimeMonitor = z.output<typeof UPTIME_MONITOR>
/** By name in lower case. What was sealed with another key is none. */
export async function openSecretHeaders(seal: Pick<Seal, 'open'>, sealed: string): Promise<SecretHeaders> {
  if (sealed === '') return {}
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(await seal.open(sealed)))
  } catch {
    return {}
  }
}
export type SecretHeaders = Readonly<Record<string, string>>

export type UptimeMonitorInput = z.input<typeof UPTIME_MONITOR>
