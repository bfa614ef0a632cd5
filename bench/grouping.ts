/**
 * What 1,000 fingerprint rules add to the processing of an event (parsed, normalized, scrubbed, grouped, encoded), on one
 * thread and the events of the fixtures. With and without in turn in one process: compare the ratio.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parseFingerprintRules } from '@sonde/protocol/grouping-rules'
import {
  DEFAULT_PROCESSING_SETTINGS,
  type ProcessingSettings,
} from '../packages/pipeline/src/process/settings-history.ts'
import { EVENT_STAGES } from '../packages/pipeline/src/stages.ts'
import { atMost, type Figure, median } from './report/figure.ts'

const RULES = 1_000
const ROUNDS = 200
const WARM_ROUNDS = 30
const FOLDERS = ['sentry-grouping/inputs', 'sentry-event-samples', 'relay/event_payloads']
const FIXTURES = new URL('../fixtures/', import.meta.url)

// oxlint-disable-next-line require-await -- a part of the bench is asynchronous
export async function grouping(say: (text: string) => void): Promise<Figure[]> {
  const text = manyRules()
  const { rules, problems } = parseFingerprintRules(text)
  if (rules.length !== RULES || problems.length > 0)
    throw new Error(`not ${RULES} rules: ${JSON.stringify(problems)}`)
  const payloads = fixturePayloads()
  say(`${payloads.length} events of the fixtures, ${RULES} rules of ${text.length} characters`)
  const without = DEFAULT_PROCESSING_SETTINGS
  const ruled: ProcessingSettings = { ...without, grouping: { ...without.grouping, fingerprintRules: text } }
  const same = compare(payloads, false, without, ruled)
  say(`events that come again: ${percent(same.ratio)} more`)
  const other = compare(payloads, true, without, ruled)
  say(`events whose messages are all different: ${percent(other.ratio)} more`)
  return [
    figure('an event that came before', same),
    figure('an event with a message that never came before', other),
  ]
}

type Compared = { readonly withUs: number; readonly withoutUs: number; readonly ratio: number }

const figure = (what: string, { withUs, withoutUs, ratio }: Compared): Figure => ({
  part: 'grouping',
  name: `${what}: processed with ${RULES.toLocaleString('en')} fingerprint rules`,
  value: withUs,
  unit: 'µs',
  against: { name: 'without', value: withoutUs },
  budget: atMost(1.05, ratio, '105 %'),
})

const percent = (ratio: number): string => `${((ratio - 1) * 100).toFixed(1)} %`

/**
 * Each event with and without in turn, so that whatever else the machine does weighs on both; of each event the median of
 * all rounds counts.
 */
function compare(
  payloads: readonly string[],
  isVaried: boolean,
  without: ProcessingSettings,
  ruled: ProcessingSettings,
): Compared {
  const timesWith = payloads.map((): number[] => [])
  const timesWithout = payloads.map((): number[] => [])
  for (let round = 0; round < ROUNDS + WARM_ROUNDS; round++)
    for (const [at, payload] of payloads.entries()) {
      const mark = isVaried ? ` (attempt ${round} of worker ${at}-${(round * 7919) % 1009})` : ''
      const bytes = encoder.encode(payload.replaceAll('<mark>', mark))
      const isFirst = (round + at) % 2 === 0
      const first = usOf(bytes, isFirst ? ruled : without)
      // Whichever is second finds the processor's caches warm.
      const second = usOf(bytes, isFirst ? without : ruled)
      if (round < WARM_ROUNDS) continue
      timesWith[at]?.push(isFirst ? first : second)
      timesWithout[at]?.push(isFirst ? second : first)
    }
  const mean = (times: readonly (readonly number[])[]): number =>
    times.reduce((sum, each) => sum + median(each), 0) / times.length
  const [withUs, withoutUs] = [mean(timesWith), mean(timesWithout)]
  return { withUs, withoutUs, ratio: withUs / withoutUs }
}

const encoder = new TextEncoder()

function usOf(payload: Uint8Array, settings: ProcessingSettings): number {
  const startedMs = performance.now()
  const answer = EVENT_STAGES.run(
    {
      payload,
      position: 1,
      itemIndex: 0,
      projectId: 1,
      keyId: 1,
      eventId: undefined,
      receivedMs: RECEIVED_MS,
      context: { receivedMs: RECEIVED_MS, itemType: 'event' },
      settings,
    },
    new Map(),
  )
  const tookUs = (performance.now() - startedMs) * 1_000
  if (!('row' in answer))
    throw new Error(`an event of the fixtures was not stored: ${JSON.stringify(answer)}`)
  return tookUs
}

const RECEIVED_MS = Date.UTC(2026, 8, 21)

type Text = { value?: unknown; message?: unknown; formatted?: unknown }

/** With a mark at the end of every message, which is replaced or taken out. */
function fixturePayloads(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, FIXTURES))
      .filter((file) => file.endsWith('.json') && !file.includes('transaction'))
      .map((file) => JSON.parse(readFileSync(new URL(`${folder}/${file}`, FIXTURES), 'utf8')) as object),
  ).map((event) => {
    const marked = structuredClone(event) as {
      exception?: { values?: Text[] } | Text[]
      logentry?: Text
      event_id?: string
    }
    delete marked.event_id
    const { exception } = marked
    for (const each of (Array.isArray(exception) ? exception : exception?.values) ?? []) mark(each, 'value')
    if (marked.logentry) {
      mark(marked.logentry, 'message')
      mark(marked.logentry, 'formatted')
    }
    return JSON.stringify(marked)
  })
}

function mark(text: Text | null, field: keyof Text): void {
  if (typeof text?.[field] === 'string') text[field] += '<mark>'
}

const NAMES = [
  'Payment',
  'Cart',
  'Session',
  'Search',
  'Upload',
  'Invoice',
  'Account',
  'Report',
  'Queue',
  'Mailer',
]
const VERBS = [
  'Timeout',
  'Refused',
  'Missing',
  'Conflict',
  'Overflow',
  'Expired',
  'Locked',
  'Denied',
  'Broken',
  'Stale',
]

/** As people write them: by type, by words of the message, by place. None matches, so none ends the search early. */
function manyRules(): string {
  const lines = Array.from({ length: RULES }, (_, at) => {
    const [name, verb] = [NAMES[at % 10] ?? '', VERBS[Math.floor(at / 10) % 10] ?? '']
    const forms = [
      `error.type:${name}${verb}${at}Error -> ${name}-${verb}`,
      `error.value:"*${name} ${verb} in step ${at}*" -> ${name}, {{ transaction }}`,
      `message:"could not ${verb} the ${name} of ${at}: *" -> ${verb}, {{ error.type }}`,
      `stack.function:${name.toLowerCase()}_${verb.toLowerCase()}_${at} app:yes -> {{ default }}, ${at}`,
      `stack.abs_path:**/${name.toLowerCase()}/${verb.toLowerCase()}${at}/** -> ${name}`,
      `stack.module:com.shop.${name.toLowerCase()}.${verb}${at}.* error.type:*Exception -> ${name}`,
      `tags.server_name:"canary-${at}-*" !level:debug -> canary, {{ tags.server_name }}`,
      `logger:com.shop.${name.toLowerCase()}${at}.* level:error -> {{ logger }} title="From {{ logger }}"`,
      `error.type:${name}${at}* error.value:"${verb} *" -> ${name}`,
      `message:"*${name}${at} * ${verb}*" release:shop@* -> ${name}`,
    ]
    return forms[(at * 7) % forms.length] ?? ''
  })
  return lines.join('\n')
}
