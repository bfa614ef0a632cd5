/** Exceptions of OTLP requests as events: stack texts of four runtimes, what is recorded twice, and hostile texts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exceptionsOfLogs, exceptionsOfSpans } from '../../src/otlp/exceptions.ts'
import type { OtlpSpan } from '../../src/otlp/otlp-request.ts'
import { readStackText } from '../../src/otlp/stack-text.ts'

const TRACE = 'a'.repeat(32)
type Input = Parameters<typeof exceptionsOfSpans>[1]
const INPUT = { receivedMs: 1_000_000, envelope: {}, payload: new Uint8Array() } as unknown as Input

const spanOf = (spanId: string, exception: Record<string, unknown>, atMs = 1_000): OtlpSpan => ({
  traceId: TRACE,
  spanId,
  parentSpanId: '',
  traceState: '',
  name: 'charge',
  kind: 'server',
  startMs: 900,
  endMs: 1_100,
  attributes: { 'http.route': '/orders/:id', 'enduser.id': '42' },
  events: [{ name: 'exception', atMs, attributes: exception }],
  links: [],
  statusCode: 2,
  statusMessage: '',
  flags: 0,
})
const requestOf = <Item>(...items: Item[]) => [
  {
    attributes: {
      'service.version': 'shop@2',
      'deployment.environment.name': 'production',
      'telemetry.sdk.language': 'java',
    },
    scopes: [{ name: 'shop', version: '1', items }],
  },
]
const eventsOf = (inputs: readonly { readonly payload: Uint8Array }[]) =>
  inputs.map(({ payload }) => JSON.parse(Buffer.from(payload).toString()))

const JAVA = `com.shop.CardDeclined: no funds
\tat com.shop.Cart.pay(Cart.java:42)
\tat java.base/java.lang.Thread.run(Thread.java:1583)
Caused by: java.io.IOException: closed
\tat com.shop.Socket.read(Socket.java:7)
\t... 1 more`

describe('exceptions of OTLP', () => {
  it('become events with their place in the trace, release, environment, user and causes', () => {
    const span = spanOf('b'.repeat(16), {
      'exception.type': 'com.shop.CardDeclined',
      'exception.message': 'no funds',
      'exception.stacktrace': JAVA,
      'exception.escaped': true,
    })
    const [event] = eventsOf(exceptionsOfSpans(requestOf(span), INPUT).inputs)
    assert.deepEqual(
      [event.release, event.environment, event.user, event.platform, event.transaction, event.level],
      ['shop@2', 'production', { id: '42' }, 'java', '/orders/:id', 'fatal'],
    )
    assert.deepEqual(event.contexts.trace, { trace_id: TRACE, span_id: 'b'.repeat(16) })
    const [cause, thrown] = event.exception.values
    assert.deepEqual(
      [cause.type, cause.value, cause.stacktrace.frames.length],
      ['java.io.IOException', 'closed', 1],
    )
    assert.deepEqual(
      thrown.stacktrace.frames.map((frame: { function: string; in_app: boolean }) => [
        frame.function,
        frame.in_app,
      ]),
      [
        ['run', false],
        ['pay', true],
      ],
    )
  })

  it('are one event where spans record it one above the other, and where a log record tells it too', () => {
    const exception = { 'exception.type': 'E', 'exception.message': 'x', 'exception.stacktrace': '' }
    const inner = spanOf('b'.repeat(16), exception)
    const outer = spanOf('c'.repeat(16), exception, 1_001)
    const { inputs } = exceptionsOfSpans(requestOf(outer, inner), INPUT)
    assert.equal(inputs.length, 1)
    assert.equal(eventsOf(inputs)[0].contexts.trace.span_id, 'b'.repeat(16))
    const log = {
      ...inner,
      observedMs: 1,
      severityNumber: 17,
      severityText: '',
      body: '',
      eventName: '',
      attributes: exception,
      atMs: 5,
    }
    const logged = exceptionsOfLogs(requestOf(log), INPUT).inputs
    assert.equal(logged[0]?.eventId, inputs[0]?.eventId)
    assert.equal(exceptionsOfLogs(requestOf({ ...log, attributes: {} }), INPUT).inputs.length, 0)
  })

  it('are at most a hundred of a request, and the rest is counted', () => {
    const spans = Array.from({ length: 150 }, (_, index) =>
      spanOf('b'.repeat(16), { 'exception.type': `E${index}` }),
    )
    const { inputs, tooMany } = exceptionsOfSpans(requestOf(...spans), INPUT)
    assert.deepEqual([inputs.length, tooMany], [100, 50])
  })

  for (const [name, text, expected] of [
    [
      'V8',
      'TypeError: x\n    at pay (/app/cart.js:3:5)\n    at async Promise.all (index 0)\n    at node:internal/timers:12:3',
      [
        ['node:internal/timers', undefined, 12, false],
        ['/app/cart.js', 'pay', 3, true],
      ],
    ],
    [
      'Gecko',
      'pay@https://shop.test/a.js:3:5\n@https://shop.test/b.js:1:1',
      [
        ['https://shop.test/b.js', undefined, 1, true],
        ['https://shop.test/a.js', 'pay', 3, true],
      ],
    ],
    [
      'Python',
      'Traceback (most recent call last):\n  File "/app/a.py", line 3, in main\n    pay()\n  File "/usr/lib/python3.12/x.py", line 9, in pay\nValueError: x',
      [
        ['/app/a.py', 'main', 3, true],
        ['/usr/lib/python3.12/x.py', 'pay', 9, false],
      ],
    ],
    [
      'Go',
      'goroutine 1 [running]:\nmain.(*Cart).Pay(0x1, 0x2)\n\t/app/cart.go:12 +0x1d\nmain.main()\n\t/app/main.go:5 +0x2',
      [
        ['/app/main.go', 'main', 5, true],
        ['/app/cart.go', '(*Cart).Pay', 12, true],
      ],
    ],
  ] as const)
    it(`read stacks of ${name}`, () => {
      const frames = readStackText(text)?.frames ?? []
      assert.deepEqual(
        frames.map((frame) => [frame.filename, frame.function, frame.lineno, frame.in_app]),
        expected,
      )
    })

  it('keep the text where no form fits', () => {
    const span = spanOf('b'.repeat(16), {
      'exception.type': 'E',
      'exception.stacktrace': '#0 /app/a.php(3): pay()',
    })
    const [event] = eventsOf(exceptionsOfSpans(requestOf(span), INPUT).inputs)
    assert.equal(event.extra['exception.stacktrace'], '#0 /app/a.php(3): pay()')
  })

  it('of any text end soon', () => {
    for (const piece of [
      'at ',
      '@',
      '(',
      'a.',
      '  File "',
      '\tx.go:',
      'a@a:',
      ' at a(',
      '\n',
      'Caused by: a\n',
    ]) {
      const stack = readStackText(piece.repeat(400_000 / piece.length))
      assert.ok(stack === undefined || stack.frames.length <= 500)
    }
  })
})
