/** OTLP in both encodings: the endpoint's quick survey counts what the pipeline's reader then finds. */
import assert from 'node:assert/strict'
import { prescanJson } from '../../../packages/ingest/src/endpoints/otlp/prescan-json.ts'
import { prescanProtobuf } from '../../../packages/ingest/src/endpoints/otlp/prescan-protobuf.ts'
import { MalformedOtlp, type Prescan } from '../../../packages/ingest/src/endpoints/otlp/prescan.ts'
import { GOOD, jsonRequest, protobufRequest } from '../../../packages/ingest/test/support/otlp-request.ts'
import { readOtlpLogs } from '../../../packages/pipeline/src/logs/log-stages.ts'
import { logsOfOtlp } from '../../../packages/pipeline/src/logs/read-logs.ts'
import { spansOfOtlp } from '../../../packages/pipeline/src/otlp/spans-of-otlp.ts'
import { readOtlp } from '../../../packages/pipeline/src/spans/span-stages.ts'
import { exportShop } from '../../../packages/pipeline/test/otlp/exported.ts'
import type { Target } from '../engine/target.ts'
import { envelopeAround } from '../mutators/envelope.ts'
import { mutateJson } from '../mutators/json.ts'
import { mutateProtobuf } from '../mutators/protobuf.ts'
import { checkProcessed, processBody } from './process.ts'

const exported = await exportShop(Date.UTC(2026, 10, 22))
const SCOPES = [[GOOD, { ...GOOD, spanId: '0'.repeat(16) }], [], [{ ...GOOD, traceId: 'ff' }]]

export const otlpJson: Target = {
  name: 'otlp-json',
  seeds: () => [exported.json, Buffer.from(jsonRequest(SCOPES)), Buffer.from('{"resourceSpans":[]}')],
  mutate: mutateJson,
  words: [
    '"spans":[{}]',
    '"scopeSpans":',
    '"traceId":',
    '"spanId":',
    '"startTimeUnixNano":',
    '"kvlistValue":',
  ],
  open: () => ({
    run(input) {
      processItem(input, 'application/json')
      survey(prescanJson, input)
      // A key that stands twice counts as the reader of JSON takes it: the last one. The survey sees both.
      const plain = asWritten(input)
      if (plain) compare(prescanJson, plain, 'application/json')
    },
  }),
}

/** Log records in both encodings, against the same survey. */
export const otlpLogs: Target = {
  name: 'otlp-logs',
  seeds: () => [Buffer.from(JSON.stringify(LOGS)), protobufRequest(SCOPES), Buffer.alloc(0)],
  mutate: mutateJson,
  words: ['"logRecords":[{}]', '"scopeLogs":', '"severityNumber":', '"body":', '"kvlistValue":'],
  open: () => ({
    run(input) {
      for (const contentType of ['application/json', 'application/x-protobuf'] as const) {
        const item = { type: 'otel_logs_data', content_type: contentType }
        checkProcessed(processBody(envelopeAround({}, input, item)))
      }
      survey((bytes) => prescanJson(bytes, 'logs'), input)
      const plain = asWritten(input)
      if (plain) compareLogs((bytes) => prescanJson(bytes, 'logs'), plain, 'application/json')
      compareLogs((bytes) => prescanProtobuf(bytes, 'logs'), input, 'application/x-protobuf')
    },
  }),
}

const LOGS = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'service.version', value: { stringValue: '1.0' } }] },
      scopeLogs: [
        {
          scope: { name: 'shop' },
          logRecords: [
            {
              timeUnixNano: '1795305600000000000',
              severityNumber: 17,
              severityText: 'ERROR',
              body: { kvlistValue: { values: [{ key: 'text', value: { stringValue: 'card declined' } }] } },
              attributes: [{ key: 'order', value: { intValue: '9223372036854775807' } }],
              traceId: 'a'.repeat(32),
              spanId: 'b'.repeat(16),
            },
          ],
        },
      ],
    },
  ],
}

function compareLogs(by: (bytes: Buffer) => Prescan, input: Buffer, contentType: string): void {
  const counted = survey(by, input)
  const resources = readOtlpLogs(input, contentType)
  if (counted === undefined || resources === undefined) return
  const { logs, lost } = logsOfOtlp(resources, 0, 0)
  assert.equal(logs.length + lost, counted.count, 'the survey counts other log records')
  assert.ok(counted.unusable <= lost, 'the survey refuses log records that the pipeline keeps')
}

export const otlpProtobuf: Target = {
  name: 'otlp-protobuf',
  seeds: () => [exported.protobuf, protobufRequest(SCOPES), Buffer.alloc(0)],
  mutate: mutateProtobuf,
  open: () => ({
    run(input) {
      processItem(input, 'application/x-protobuf')
      compare(prescanProtobuf, input, 'application/x-protobuf')
    },
  }),
}

function processItem(payload: Buffer, contentType: string): void {
  const item = { type: 'otel_traces_data', content_type: contentType }
  checkProcessed(processBody(envelopeAround({}, payload, item)))
}

function compare(by: (bytes: Buffer) => Prescan, input: Buffer, contentType: string): void {
  const counted = survey(by, input)
  const resources = readOtlp(input, contentType)
  if (counted === undefined || resources === undefined) return
  const { spans, lost } = spansOfOtlp(resources, 0)
  assert.equal(spans.length + lost, counted.count, 'the survey counts other spans')
  // It looks no further into a span than its ids: what is broken behind them is found by the pipeline alone.
  assert.ok(counted.unusable <= lost, 'the survey refuses spans that the pipeline keeps')
}

function survey(by: (bytes: Buffer) => Prescan, input: Buffer): Prescan | undefined {
  try {
    return by(input)
  } catch (error) {
    if (error instanceof MalformedOtlp) return undefined
    throw error
  }
}

function asWritten(input: Buffer): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(input.toString('utf8'))))
  } catch {
    return undefined
  }
}
