/** A good request for every endpoint that takes bytes from strangers: where changes begin. */
import { gzipSync } from 'node:zlib'
import { GOOD, jsonRequest, protobufRequest } from '../../../packages/ingest/test/support/otlp-request.ts'
import { envelopeAround } from '../mutators/envelope.ts'
import { httpMessage, type Message } from '../mutators/http.ts'
import { fixture, fixturesIn } from './fixtures.ts'

/** Stand in bodies, so what takes their place has as many characters. */
export const KEY = 'a'.repeat(32)
export const PROJECT = '42'
export const EVENT_ID = 'e'.repeat(32)

const HOST: [string, string] = ['Host', 'sonde.test']
const BOUNDARY = 'b0undary'
const QUERY = `?sentry_key=${KEY}&sentry_version=7`

const post = (path: string, body: Uint8Array | string, type: string, more: Message['headers'] = []): Buffer =>
  httpMessage({
    method: 'POST',
    path,
    headers: [HOST, ['Content-Type', type], ['User-Agent', 'sentry.javascript.browser/10.0.0'], ...more],
    body: Buffer.from(body),
  })

/** A small form: the boundary is the first line, as mutations of forms want it. */
export function formBody(parts: readonly { name: string; fileName?: string; bytes: Uint8Array }[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name, fileName, bytes }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
}
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

export function doorSeeds(): readonly Buffer[] {
  const endpoint = (what: string): string => `/api/${PROJECT}/${what}/${QUERY}`
  const event = fixture('bugsink-event-samples/bugsink/contexts.json')
  const envelope = envelopeAround({ event_id: EVENT_ID, sent_at: '2026-11-22T10:00:00Z' }, event, {
    type: 'event',
  })
  const dsn = `http://${KEY}@sonde.test/${PROJECT}`
  const attachment = envelopeAround({ event_id: EVENT_ID, dsn }, Buffer.from('log line'), {
    type: 'attachment',
    filename: 'a.log',
  })
  const form = formBody([
    { name: 'a', fileName: 'a.txt', bytes: Buffer.from('hello') },
    { name: 'note', bytes: Buffer.from('no file') },
  ])
  const minidump = formBody([
    { name: 'upload_file_minidump', fileName: 'x.dmp', bytes: fixture('relay/native/electron_simple.dmp') },
    { name: 'sentry', bytes: Buffer.from('{"release":"1"}') },
  ])
  return [
    post(endpoint('envelope'), envelope, 'application/x-sentry-envelope'),
    post(endpoint('envelope'), gzipSync(envelope), 'text/plain', [['Content-Encoding', 'gzip']]),
    post(`/api/${PROJECT}/envelope/`, attachment, 'text/plain'),
    ...fixturesIn('spotlight-envelopes', 6_000).map((each) => post(endpoint('envelope'), each, 'text/plain')),
    post(`/monitoring?o=7&p=${PROJECT}`, attachment, 'text/plain;charset=UTF-8', [
      ['Origin', 'https://shop.example'],
    ]),
    post(endpoint('store'), event, 'application/json'),
    post('/api/store/', event.toString('base64'), 'application/octet-stream', [
      ['X-Sentry-Auth', `Sentry sentry_version=7, sentry_key=${KEY}, sentry_client=raven/1`],
    ]),
    post(
      endpoint('security'),
      fixture('relay/security_report/csp_chrome.input.json'),
      'application/csp-report',
    ),
    post(
      endpoint('csp-report'),
      fixture('relay/security_report/expect_ct.input.json'),
      'application/expect-ct-report+json',
    ),
    post(
      endpoint('security'),
      '[{"type":"csp-violation","url":"https://a.example/","body":{"effectiveDirective":"img-src"}}]',
      'application/reports+json',
    ),
    post(endpoint('otlp/v1/traces'), jsonRequest([[GOOD]]), 'application/json'),
    post(endpoint('integration/otlp/v1/traces'), protobufRequest([[GOOD], []]), 'application/x-protobuf'),
    post(endpoint(`events/${EVENT_ID}/attachments`), form, FORM_TYPE),
    post(endpoint('minidump'), minidump, FORM_TYPE),
    post(`/api/${PROJECT}/unreal/${KEY}/`, fixture('relay/native/unreal_crash'), 'application/octet-stream'),
    post(
      `/api/${PROJECT}/cron/nightly/${KEY}/?status=in_progress&environment=staging&check_in_id=${EVENT_ID}`,
      '{"duration":1.5,"monitor_config":{"schedule":{"type":"crontab","value":"0 3 * * *"}}}',
      'application/json',
    ),
    httpMessage({
      method: 'GET',
      path: `/api/${PROJECT}/crons/nightly%20job/${QUERY}&status=error&duration=2`,
      headers: [HOST],
      body: Buffer.alloc(0),
    }),
    post(endpoint('otlp/v1/logs'), '{"resourceLogs":[]}', 'application/json'),
    httpMessage({
      method: 'OPTIONS',
      path: endpoint('envelope'),
      headers: [HOST, ['Access-Control-Request-Headers', 'x-a']],
      body: Buffer.alloc(0),
    }),
  ]
}
