import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { deriveTags, parseEventJson } from '../../src/normalize/index.ts'
import { DEFAULT_SCRUB_SETTINGS, scrubEvent } from '../../src/scrub/index.ts'
import { eventOf } from './event-of.ts'

const FIXTURES = new URL('../../../../fixtures/', import.meta.url)
const FOLDERS = [
  'sentry-event-samples',
  'bugsink-event-samples/bugsink',
  'bugsink-event-samples/glitchtip',
  'bugsink-event-samples/sentry',
  'glitchtip/incoming_events',
  'relay/event_payloads',
  'sentry-go/json/event',
  'sentry-grouping/inputs',
]
/** Fixture → why it is not understood. An entry that is understood fails the test below and has to go. */
const KNOWN_BROKEN = JSON.parse(
  readFileSync(new URL('KNOWN-BROKEN.json', import.meta.url), 'utf8'),
) as Record<string, string>

const files = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, FIXTURES))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`),
)

function read(path: string): { raw: Record<string, unknown>; event: NormalizedEvent } {
  const parsed = parseEventJson(readFileSync(new URL(path, FIXTURES)))
  assert.ok(parsed.ok, path)
  return {
    raw: parsed.value as Record<string, unknown>,
    event: eventOf(parsed.value, { retentionDays: 36_500 }),
  }
}

function hasNull(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.values(value).some(hasNull)
}

/** What an event must have kept to count as understood. */
function lost({ raw, event }: ReturnType<typeof read>): string | undefined {
  if (Array.isArray(raw)) return 'no object'
  if (event.errors?.some(({ type }) => type === 'normalization_failed')) return 'failed'
  const text = JSON.stringify(raw)
  if (
    raw.exception &&
    text.includes('"type":') &&
    !event.exception &&
    !JSON.stringify(raw.exception).includes('[]')
  )
    return 'exception'
  if (raw.threads && !event.threads) return 'threads'
  if (raw.stacktrace && !event.threads && !event.exception && text.includes('"frames":[{'))
    return 'stacktrace'
  if (raw.breadcrumbs && !event.breadcrumbs && !/"breadcrumbs":(?:\[\]|\{"values":\[\]\}|\{\})/.test(text))
    return 'breadcrumbs'
  return undefined
}

test('the fixtures are there', () => {
  assert.ok(files.length > 250, String(files.length))
})

test('every event of the fixtures is understood, except for those listed with a reason', () => {
  const broken = files.filter((path) => lost(read(path)) !== undefined)
  assert.deepEqual(broken.toSorted(), Object.keys(KNOWN_BROKEN).toSorted())
})

test('every event of the fixtures becomes JSON without null in fields of ours, has a title, and stays so after scrubbing', () => {
  for (const path of files) {
    const { event } = read(path)
    const scrubbed = scrubEvent(event, DEFAULT_SCRUB_SETTINGS)
    for (const one of [event, scrubbed]) {
      assert.deepEqual(JSON.parse(JSON.stringify(one)), { ...one, ...plain(one) }, path)
      assert.notEqual(one.derived.title, '', path)
      const { extra: _e, unknown: _u, contexts: _c, ...ours } = one
      const {
        request,
        logentry: _l,
        debug_meta: _d,
        user: _w,
        errors: _x,
        breadcrumbs: _b,
        exception: _y,
        threads: _t,
        ...rest
      } = ours
      assert.equal(hasNull(rest), false, path)
      assert.equal(hasNull(request?.headers ?? []), false, path)
      for (const value of Object.values(deriveTags(one))) assert.equal(typeof value, 'string', path)
    }
    assert.deepEqual(scrubEvent(scrubbed, DEFAULT_SCRUB_SETTINGS), scrubbed, `${path} twice`)
  }
})

/** Records without prototype compare unequal to parsed JSON; their content is what counts. */
function plain(event: NormalizedEvent): Partial<NormalizedEvent> {
  return JSON.parse(
    JSON.stringify({ exception: event.exception, threads: event.threads }),
  ) as Partial<NormalizedEvent>
}

const STORED = 'glitchtip/oss_sentry_json/'
for (const name of [
  'django_message_params',
  'django_template_error',
  'dotnet_divide_zero',
  'elixir_error',
  'js_event_with_unix_timestamp',
  'php_message_event',
  'python_logging',
  'python_zero_division',
  'small_js_error',
])
  test(`${name} gets the title, culprit, metadata and tags that upstream stored`, () => {
    const stored = JSON.parse(readFileSync(new URL(`${STORED}${name}.json`, FIXTURES), 'utf8')) as {
      title: string
      culprit: string
      type: string
      metadata: Record<string, string>
      tags: [string, string][]
    }
    const { event } = read(`glitchtip/incoming_events/${name}.json`)
    assert.equal(event.derived.title, stored.title)
    assert.equal(event.derived.culprit, stored.culprit)
    assert.equal(event.type, stored.type)
    assert.deepEqual(event.derived.metadata, stored.metadata)
    const tags = deriveTags(event)
    for (const [key, value] of stored.tags)
      // Not in the payload: the address was the sender's, one tag was set by the instance, one host has another name.
      if (key !== 'skippedNormalization' && key !== 'server_name' && !value.startsWith('ip:'))
        assert.equal(tags[key]?.slice(0, 61), value.slice(0, 61), key)
  })

test('an event of each platform is shown with its name and place', () => {
  const cases: [string, string, string][] = [
    [
      'sentry-event-samples/java.json',
      'ApiException: Authentication failed, token expired!',
      'io.sentry.example.ApiRequest in perform',
    ],
    ['sentry-event-samples/ruby.json', 'ZeroDivisionError: divided by 0', 'bin/raven in <main>'],
    [
      'sentry-event-samples/cocoa.json',
      'EXC_BAD_ACCESS: Attempted to dereference null pointer.',
      '-[SentryClient crash]',
    ],
    [
      'glitchtip/incoming_events/go_file_not_found.json',
      '*os.PathError: open ./test.txt: no such file or directory',
      'main in main',
    ],
    [
      'glitchtip/incoming_events/dotnet_divide_zero.json',
      'System.DivideByZeroException: Attempted to divide by zero.',
      'myWebApp.Pages.DivideZeroModel in DivideByZero',
    ],
    [
      'bugsink-event-samples/bugsink/none-in-context.json',
      'ZeroDivisionError: division by zero',
      'ingest.management.commands.stress_test in print_stats',
    ],
    ['sentry-grouping/inputs/node-exception-weird.json', 'Error: bla', ''],
    ['sentry-event-samples/csp.json', "Blocked 'script' from 'example.org'", ''],
    [
      'sentry-event-samples/exception-without-stack-trace-and-crashed-thread-with-stack-trace.json',
      '',
      'app/controllers/welcome_controller.rb in /',
    ],
    ['glitchtip/incoming_events/sentry_cli_send_event_no_level.json', '', ''],
  ]
  for (const [path, title, culprit] of cases) {
    const { event } = read(path)
    if (title !== '') assert.equal(event.derived.title, title, path)
    if (culprit !== '') assert.equal(event.derived.culprit, culprit, path)
  }
})

test('native events keep images, registers and addresses', () => {
  const { event } = read('sentry-event-samples/cocoa.json')
  assert.ok(Array.isArray(event.debug_meta?.images) && event.debug_meta.images.length > 100)
  const thread = event.threads?.find(({ crashed }) => crashed)
  assert.match(
    thread?.stacktrace?.frames[0]?.instruction_addr ??
      event.exception?.[0]?.stacktrace?.frames[0]?.instruction_addr ??
      '',
    /^0x[0-9a-f]+$/,
  )
})
