import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { Frame, NormalizedEvent, RequestInfo } from '@sonde/protocol/event'
import fc from 'fast-check'
import { requestCurl } from '../../../../src/parts/event/copy/copy-texts.ts'
import { copyEvent } from '../../../../src/parts/event/copy/event-markdown.ts'
import { stackText } from '../../../../src/parts/event/copy/stack-text.ts'

const frame = (name: string, line: number, inApp = true): Frame => ({
  function: name,
  filename: 'src/a.ts',
  lineno: line,
  in_app: inApp,
  context_line: `${name}()`,
})
const EVENT: NormalizedEvent = {
  event_id: 'a'.repeat(32),
  type: 'error',
  platform: 'node',
  level: 'error',
  timestamp: 1_772_000_000,
  received: 1_772_000_000,
  release: 'shop@1',
  tags: [['plan', 'team']],
  exception: [
    { type: 'RangeError', value: 'inner', stacktrace: { frames: [frame('deep', 9)] } },
    { type: 'TypeError', value: 'outer', stacktrace: { frames: [frame('main', 1), frame('pay', 2)] } },
  ],
  breadcrumbs: [{ type: 'default', level: 'warning', message: 'a `tick`', timestamp: 1_771_999_999 }],
  derived: { title: 'TypeError: outer', culprit: 'pay', metadata: {} },
}

test('a stack reads as the language prints it', () => {
  assert.equal(
    stackText(EVENT),
    'TypeError: outer\n    at pay (src/a.ts:2)\n    at main (src/a.ts:1)\n\nCaused by: RangeError: inner\n    at deep (src/a.ts:9)',
  )
  const python = stackText({ ...EVENT, platform: 'python', exception: EVENT.exception?.slice(1) ?? [] })
  assert.match(
    python,
    /^Traceback \(most recent call last\):\n {2}File "src\/a.ts", line 1, in main\n {4}main\(\)\n.*pay\n {4}pay\(\)\nTypeError: outer$/s,
  )
})

test('the whole event as Markdown: title, place, facts, stack, code, breadcrumbs, tags', () => {
  const text = copyEvent(EVENT, { shortId: 'SHOP-1', url: 'https://sonde.example/x' })
  for (const part of [
    '# TypeError: outer',
    'in `pay`',
    '- **Issue:** `SHOP-1`',
    '- **Release:** `shop@1`',
    '- **Link:** <https://sonde.example/x>',
    '## Stack trace\n\n```\nTypeError: outer',
    '> 2 | pay()',
    '**warning** `` a `tick` ``',
    '- `plan`: `team`',
  ])
    assert.ok(text.includes(part), `${part} is not in\n${text}`)
})

test('no text of an event ends its fence', () => {
  const event = { ...EVENT, exception: [{ type: 'X', value: '```\n# not a heading' }] }
  assert.match(copyEvent(event, { shortId: 'S-1', url: '' }), /````\nX: ```\n# not a heading\n````/)
})

test('a request becomes a command with its method, headers, cookies and body', () => {
  const request: RequestInfo = {
    url: 'https://shop.example/pay',
    method: 'post',
    query_string: [['a', 'b c']],
    headers: [
      ['Host', 'shop.example'],
      ['X-Name', "it's"],
    ],
    cookies: [['theme', 'dark']],
    data: { sum: 1 },
  }
  assert.equal(
    requestCurl(request),
    [
      "curl -X POST \\\n  'https://shop.example/pay?a=b+c'",
      String.raw`-H 'X-Name: it'\''s'`,
      '-b theme=dark',
      "-H 'Content-Type: application/json'",
      `--data-raw '{"sum":1}'`,
    ].join(' \\\n  '),
  )
  assert.equal(requestCurl({ url: 'javascript:alert(1)' }), undefined)
  assert.equal(requestCurl({}), undefined)
})

const HOSTILE = ['a', "'", '"', '\\', '$', '(', ')', '{', '}', ';', '|', '&', '`', '\n', ' ', '*', '!', '#']

test('nothing in a request is run by the shell', () => {
  const text = fc.string({ unit: fc.constantFrom(...HOSTILE) })
  fc.assert(
    fc.property(text, text, (name, value) => {
      const command =
        requestCurl({ url: 'http://x/', headers: [[`h${name}`, value]], data: `d${value}` }) ?? ''
      const script = `curl() { for a; do printf '%s\\0' "$a"; done; }; ${command}`
      const args = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0')
      assert.deepEqual(args, [
        '-X',
        'GET',
        'http://x/',
        '-H',
        `h${name}: ${value}`,
        '--data-raw',
        `d${value}`,
        '',
      ])
    }),
    { numRuns: 40 },
  )
})
