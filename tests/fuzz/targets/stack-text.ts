/** Stack traces as texts of strangers, as exceptions of OTLP carry them: read into frames that can be stored, and in linear time. */
import assert from 'node:assert/strict'
import { readStackText, type TextFrame } from '../../../packages/pipeline/src/otlp/stack-text.ts'
import type { Target } from '../engine/target.ts'
import { envelopeAround } from '../mutators/envelope.ts'
import { checkProcessed, processBody } from './process.ts'

const SEEDS = [
  `com.shop.CardDeclined: no funds
\tat com.shop.Cart.pay(Cart.java:42)
\tat java.base/java.lang.Thread.run(Thread.java:1583)
Caused by: java.io.IOException: closed
\tat com.shop.Socket$Reader.<init>(Socket.kt:7)
\tat com.shop.Native.call(Native Method)
\t... 1 more`,
  `Traceback (most recent call last):
  File "/app/shop/price.py", line 12, in total
    return sum(line.price for line in lines)
           ^^^^^^^^^^
  File "/usr/lib/python3.13/site-packages/django/db.py", line 7
ZeroDivisionError: division by zero`,
  `goroutine 17 [running]:
main.(*Cart).Pay(0xc000010000, {0x1, 0x2})
\t/app/cart/pay.go:88 +0x1d
net/http.HandlerFunc.ServeHTTP(...)
\t/usr/local/go/src/net/http/server.go:2294
created by main.main in goroutine 1
\t/app/main.go:14 +0x5c`,
  `TypeError: card declined
    at async Cart.pay (file:///app/src/cart.mjs:12:7)
    at new Order (C:\\shop\\order.js:3:1)
    at node:internal/process/task_queues:95:5
    at https://shop.example/assets/app-DiwrgTda.js:1:23456`,
  'pay@https://shop.example/app.js:1:2345\n@https://shop.example/app.js:9:1\nasync*load@resource://a/b.js:3:4',
  '',
]
const MAX_LINES = 500
const MAX_LINE = 1_000

export const stackText: Target = {
  name: 'stack-text',
  seeds: () => SEEDS.map((text) => Buffer.from(text)),
  words: [
    '\n\tat ',
    '\n    at ',
    ' (',
    ':1:1)',
    '  File "',
    '", line 1, in ',
    'Caused by: ',
    'Traceback (most recent call last)',
    'created by ',
    ' in goroutine 1',
    '.java:1)',
    '.go:1',
    '@https://',
    'async ',
    '(*T).',
  ],
  // Each line is looked at by several expressions: none of them may take longer with a longer line.
  maxCpuMs: 200,
  open: () => ({ run }),
}

function run(input: Buffer): void {
  const text = input.toString('utf8')
  const stack = readStackText(text)
  if (stack !== undefined) {
    assert.ok(stack.frames.length > 0 && stack.frames.length <= MAX_LINES)
    assert.ok(stack.causes.length <= 5)
    for (const frame of [...stack.frames, ...stack.causes.flatMap(({ frames }) => frames)]) checkFrame(frame)
  }
  const attributes = [
    { key: 'exception.type', value: { stringValue: 'Error' } },
    { key: 'exception.stacktrace', value: { stringValue: text } },
  ]
  const span = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    name: 'charge',
    startTimeUnixNano: '1795305600000000000',
    events: [{ name: 'exception', attributes }],
  }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
  const item = { type: 'otel_traces_data', content_type: 'application/json' }
  checkProcessed(processBody(envelopeAround({}, Buffer.from(JSON.stringify(body)), item)))
}

function checkFrame(frame: TextFrame): void {
  for (const [name, value] of Object.entries(frame)) {
    if (typeof value === 'number') assert.ok(Number.isSafeInteger(value) && value >= 0, `${name} ${value}`)
    else if (typeof value === 'string') assert.ok(value.length <= MAX_LINE, `${name} of ${value.length}`)
  }
  assert.ok(frame.filename !== '' && frame.function !== '' && frame.module !== '', 'a name is empty')
}
