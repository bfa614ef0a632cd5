/**
 * What 1,000 fingerprint rules add to the processing of an event (parsed, normalized, scrubbed, grouped, encoded), on one
 * thread and the events of the fixtures. With and without in turn in one process: compare the ratio.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parseFingerprintRules } from '@sonde/protocol/grouping-rules'
import { payloadOfRow, type TelemetryRow } from '@sonde/stores'
import {
  compileFingerprints,
  type RuledEvent,
} from '../packages/pipeline/src/group/rules/match-fingerprint.ts'
import {
  DEFAULT_PROCESSING_SETTINGS,
  type ProcessingSettings,
} from '../packages/pipeline/src/process/settings-history.ts'
import { EVENT_STAGES } from '../packages/pipeline/src/stages.ts'
import { atMost, type Figure, median } from './report/figure.ts'

const RULES = 1_000
const ROUNDS = 200
const WARM_ROUNDS = 40
/** Each with a ratio of its own: how far they are apart says how sure the figure is. */
const PARTS = 5
const PAIRS = 20
/** Of all events, by one side of a pair: Linux says what a thread took to some milliseconds, so it has to take many of them. */
const PASSES = 8
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
  say(`of ${RULES} patterns ${triedPerEvent(payloads).toFixed(2)} are run against a text of an event`)
  const without = DEFAULT_PROCESSING_SETTINGS
  const ruled: ProcessingSettings = { ...without, grouping: { ...without.grouping, fingerprintRules: text } }
  const same = compare(payloads, false, without, ruled)
  say(`events that come again: ${said(same)}`)
  const other = compare(payloads, true, without, ruled)
  say(`events whose messages are all different: ${said(other)}`)
  say(`without rules on both sides: ${said(compare(payloads, true, without, { ...without }))}`)
  const [low, middle, high] = byProcessor(payloads, without, ruled)
  say(
    `by processor time: ${percent(middle)} more, half of ${PAIRS} pairs between ${percent(low)} and ${percent(high)}`,
  )
  return [
    figure('an event that came before', same),
    figure('an event with a message that never came before', other),
  ]
}

type Compared = {
  readonly withUs: number
  readonly withoutUs: number
  readonly ratio: number
  /** Of each part of the rounds. */
  readonly ratios: readonly number[]
}

const figure = (what: string, { withUs, withoutUs, ratio }: Compared): Figure => ({
  part: 'grouping',
  name: `${what}: processed with ${RULES.toLocaleString('en')} fingerprint rules`,
  value: withUs,
  unit: 'µs',
  against: { name: 'without', value: withoutUs },
  budget: atMost(1.05, ratio, '105 %'),
})

const percent = (ratio: number): string => `${((ratio - 1) * 100).toFixed(1)} %`

const said = ({ ratio, ratios }: Compared): string =>
  `${percent(ratio)} more, ${PARTS} parts of the rounds between ${percent(Math.min(...ratios))} and ${percent(Math.max(...ratios))}`

/**
 * Each event with and without in turn. Of each the fastest tenth of the rounds counts: what else the machine does only ever
 * makes a round slower, and not every one of them.
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
    for (const [at, bytes] of marked(payloads, isVaried, round).entries()) {
      const isFirst = (round + at) % 2 === 0
      const first = usOf(bytes, isFirst ? ruled : without)
      // Whichever is second finds the processor's caches warm.
      const second = usOf(bytes, isFirst ? without : ruled)
      if (round < WARM_ROUNDS) continue
      timesWith[at]?.push(isFirst ? first : second)
      timesWithout[at]?.push(isFirst ? second : first)
    }
  const size = ROUNDS / PARTS
  const ratios = Array.from({ length: PARTS }, (_, part) => {
    const partOf = (times: readonly number[]) => times.slice(part * size, (part + 1) * size)
    return meanUs(timesWith.map(partOf)) / meanUs(timesWithout.map(partOf))
  })
  const [withUs, withoutUs] = [meanUs(timesWith), meanUs(timesWithout)]
  return { withUs, withoutUs, ratio: withUs / withoutUs, ratios }
}

/** Over the events. */
const meanUs = (times: readonly (readonly number[])[]): number =>
  times.reduce((sum, each) => sum + fastTenth(each), 0) / times.length

const fastTenth = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b).at(Math.floor(times.length / 10)) ?? 0

function usOf(event: Uint8Array, settings: ProcessingSettings): number {
  const startedMs = performance.now()
  run(event, settings)
  return (performance.now() - startedMs) * 1_000
}

/** The processor time of this thread stands still while others run. Of pairs of all events: quartile, median, quartile. */
function byProcessor(
  payloads: readonly string[],
  without: ProcessingSettings,
  ruled: ProcessingSettings,
): readonly [number, number, number] {
  const ratios: number[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    const events = Array.from({ length: PASSES }, (_, pass) =>
      marked(payloads, true, pair * PASSES + pass),
    ).flat()
    const isFirst = pair % 2 === 0
    const first = processorUs(events, isFirst ? ruled : without)
    const second = processorUs(events, isFirst ? without : ruled)
    ratios.push(isFirst ? first / second : second / first)
  }
  const sorted = ratios.toSorted((a, b) => a - b)
  return [sorted.at(PAIRS / 4) ?? 0, median(sorted), sorted.at(-1 - PAIRS / 4) ?? 0]
}

function processorUs(events: readonly Uint8Array[], settings: ProcessingSettings): number {
  const before = process.threadCpuUsage()
  for (const event of events) run(event, settings)
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

function marked(payloads: readonly string[], isVaried: boolean, round: number): readonly Uint8Array[] {
  return payloads.map((payload, at) => {
    const mark = isVaried ? ` (attempt ${round} of worker ${at}-${(round * 7919) % 1009})` : ''
    return encoder.encode(payload.replaceAll('<mark>', mark))
  })
}

/** How many of the patterns are run against a text at all, for an event with messages that never came before: the others are passed over. */
function triedPerEvent(payloads: readonly string[]): number {
  let tried = 0
  const counted = parseFingerprintRules(manyRules()).rules.map((rule) => ({
    ...rule,
    matchers: rule.matchers.map((matcher) => ({
      ...matcher,
      glob: {
        ...matcher.glob,
        matches(text: string) {
          tried++
          return matcher.glob.matches(text)
        },
      },
    })),
  }))
  const match = compileFingerprints(counted)
  for (const payload of payloads) {
    const row = run(encoder.encode(payload.replaceAll('<mark>', ' (attempt 1)')), DEFAULT_PROCESSING_SETTINGS)
    match(JSON.parse(payloadOfRow(row)) as RuledEvent)
  }
  return tried / payloads.length
}

const encoder = new TextEncoder()

function run(payload: Uint8Array, settings: ProcessingSettings): TelemetryRow {
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
  if (!('row' in answer))
    throw new Error(`an event of the fixtures was not stored: ${JSON.stringify(answer)}`)
  return answer.row
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
