/** A webhook's own body: whatever a program wrote into a message, it stays a text where the template has one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledTemplate, templateField } from '../src/channels/webhook-template.ts'
import type { Message } from '../src/index.ts'
import { NOW_MS } from './harness.ts'

const MESSAGE: Message = {
  kind: 'new',
  headline: 'New issue in acme/shop',
  title: '"}], "admin": true, {{message}} {{url}} \\ \u0000',
  place: 'pay in cart.ts',
  level: 'error',
  facts: [
    ['Release', 'shop@1'],
    ['__proto__', '{{message}}'],
  ],
  url: 'https://sonde.test/acme/shop/issues/SHOP-1',
  org: 'acme',
  project: 'shop',
  issue: { id: 1, shortId: 'SHOP-1' },
  atMs: NOW_MS,
}
const fill = (template: unknown): unknown =>
  JSON.parse(filledTemplate(templateField.parse(JSON.stringify(template)), MESSAGE))
const refusal = (text: string): string => templateField.safeParse(text).error?.issues[0]?.message ?? ''

test('names in texts are filled in, and nothing that is filled in is read again', () => {
  assert.deepEqual(
    fill({
      text: '{{ headline }}: {{title}}',
      n: 1,
      list: ['{{issue}}', null, { at: '{{timestamp}}' }],
      rule: '{{rule}}',
    }),
    {
      text: `New issue in acme/shop: ${MESSAGE.title}`,
      n: 1,
      list: ['SHOP-1', null, { at: new Date(NOW_MS).toISOString() }],
      rule: '',
    },
  )
})

test('what is no text stands for itself alone, and as JSON within one', () => {
  const { facts, message, both } = fill({
    facts: '{{facts}}',
    message: '{{message}}',
    both: 'f {{facts}}',
  }) as {
    facts: object
    message: object
    both: string
  }
  assert.deepEqual(Object.entries(facts), MESSAGE.facts)
  assert.deepEqual(message, MESSAGE)
  assert.deepEqual(JSON.parse(both.slice(2)), facts)
})

test('what cannot be filled in is refused with what is known', () => {
  assert.match(refusal('{ "text": {{title}} }'), /is not JSON/)
  assert.match(refusal('{ "text": "{{secret}}" }'), /knows no \{\{secret\}\}; there are kind, headline/)
  assert.match(refusal('{ "text": "{{constructor}}" }'), /knows no/)
  assert.match(refusal(JSON.stringify('{{message}}'.repeat(101))), /at most 100 names/)
  assert.match(refusal(JSON.stringify('x'.repeat(10_000))), /at most 10,000 characters/)
  assert.equal(refusal('{ "braces": "{ {x} }" }'), '')
})

test('one that is too deep is refused; brackets in texts are no levels, and many braces take no time', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}"{{title}} [[{{"${']'.repeat(levels)}`
  assert.match(refusal(nested(4_000)), /at most 50 levels/)
  assert.match(filledTemplate(templateField.parse(nested(50)), MESSAGE), /admin/)
  assert.equal(refusal(JSON.stringify(`${'['.repeat(60)} \\"${'{'.repeat(60)}`)), '')
  assert.equal(refusal(JSON.stringify('{{'.repeat(4_900))), '')
})
