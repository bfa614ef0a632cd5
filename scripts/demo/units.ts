/** What was recorded, sorted into what belongs together: the envelopes that share a trace, of page and API alike. */
import { gunzipSync } from 'node:zlib'
import { type Envelope, parseEnvelope } from '@sonde/protocol/envelope'
import { CHUNK_FAILURE_OP } from '@sonde/protocol/navigation'
import type { Recorded } from './recorder.ts'

export type Unit = {
  /** When its first envelope was sent. */
  readonly atMs: number
  /** Something went wrong in it. */
  readonly isBad: boolean
  /** A tab that a deployment left without code: it belongs to the hours after that deployment. */
  readonly isStale: boolean
  /** Of the page; undefined when only the API took part. */
  readonly release: string | undefined
  readonly sent: readonly (Pick<Recorded, 'path' | 'auth' | 'userAgent'> & { readonly envelope: Envelope })[]
}

type Sent = Unit['sent'][number] & { readonly traces: readonly string[] }

/** Counts of what was lost and sessions belong to a moment, not to a story; lines of logs of many stories come together. */
const LEFT_OUT = new Set(['client_report', 'session', 'sessions', 'log'])

export function unitsOf(recorded: readonly Recorded[]): Unit[] {
  const sent = recorded.flatMap((request) => read(request) ?? [])
  const rootOf = new Map<string, string>()
  const find = (trace: string): string => {
    const parent = rootOf.get(trace) ?? trace
    return parent === trace ? trace : find(parent)
  }
  for (const { traces } of sent)
    for (const trace of traces) rootOf.set(find(trace), find(traces[0] as string))
  const groups = Map.groupBy(
    sent.filter(({ traces }) => traces.length > 0),
    ({ traces }) => find(traces[0] as string),
  )
  return [...groups.values()].map((members) => ({
    atMs: Math.min(...members.map(({ envelope }) => Date.parse(String(envelope.header['sent_at'])))),
    release: members
      .map(({ envelope }) => releaseOf(envelope))
      .find((release) => release?.startsWith('shop@')),
    isStale: members.some(({ envelope }) => textOf(envelope).includes(`"${CHUNK_FAILURE_OP}"`)),
    isBad: members.some(({ envelope }) => envelope.items.some(({ header }) => header.type === 'event')),
    sent: members,
  }))
}

function read({ body, contentEncoding, ...request }: Recorded): Sent | undefined {
  try {
    const whole = parseEnvelope(contentEncoding === 'gzip' ? gunzipSync(body) : body)
    const items = whole.items.filter(({ header }) => !LEFT_OUT.has(header.type))
    if (items.length === 0) return undefined
    const text = textOf({ items })
    const traces = [...text.matchAll(/"trace_id":\s?"([0-9a-f]{32})"/g)].map(([, trace]) => trace as string)
    return { ...request, envelope: { ...whole, items }, traces: [...new Set(traces)] }
  } catch {
    return undefined
  }
}

const textOf = ({ items }: Pick<Envelope, 'items'>): string =>
  items.map(({ payload }) => Buffer.from(payload).toString('latin1')).join('\n')

/** The ledger's envelopes have no trace header; each of their spans names its release. */
const releaseOf = (envelope: Envelope): string | undefined =>
  (envelope.header['trace'] as { release?: string } | undefined)?.release ??
  /"sentry\.release":\{[^}]*"value":"([^"]+)"/.exec(textOf(envelope))?.[1]
