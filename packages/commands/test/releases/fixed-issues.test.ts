import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issuesFixedBy } from '../../src/releases/fixed-issues.ts'

const found = (message: string): string[] =>
  issuesFixedBy(message).map(({ projectSlug, number }) => `${projectSlug} ${number}`)

test('each keyword of the nine, in any case, and what may stand behind it', () => {
  for (const word of 'fix fixes fixed close closes closed resolve resolves resolved'.split(' ')) {
    assert.deepEqual(found(`${word} SHOP-12`), ['shop 12'], word)
    assert.deepEqual(found(`Coupons.\n\n${word.toUpperCase()}: shop-12.`), ['shop 12'], word)
  }
  assert.deepEqual(found('Fixes SHOP-12, SHOP-13 and WEB-APP-7, #API_2-1'), [
    'shop 12',
    'shop 13',
    'web-app 7',
    'api_2 1',
  ])
  assert.deepEqual(found('fixes\nSHOP-1; closes SHOP-2 (resolved SHOP-1)'), ['shop 1', 'shop 2'])
})

test('what names an issue without saying that it is fixed finds none', () => {
  for (const message of [
    '',
    'SHOP-12',
    'see SHOP-12',
    'prefix SHOP-12',
    'hot-fix SHOP-12',
    'fixing SHOP-12',
    'fixes the cart of SHOP-12',
    'fix(cart): SHOP-12',
    'fixes. SHOP-12',
    'fixes SHOP-0',
    'fixes SHOP-012',
    'fixes SHOP-1x',
    'fixes 12',
    'fixes #12',
    'fixes -12',
    `fixes ${'s'.repeat(51)}-1`,
    'fixes SHOP-1234567890123456',
  ])
    assert.deepEqual(found(message), [], message)
  assert.deepEqual(found('fixes SHOP-1 as SHOP-2 did'), ['shop 1'])
})

test('the longest messages take time in proportion to their length', () => {
  const worst = ['fixes ', 'fixes-', 'fix SHOP-', `fixes ${' '.repeat(40)}`, 's-', 'fixes SHOP-1,', '#,:&']
  for (const part of worst) {
    const message = part.repeat(1_000_000 / part.length)
    const startedMs = performance.now()
    assert.ok(issuesFixedBy(message).length <= 100)
    assert.ok(performance.now() - startedMs < 2_000, `${part} takes too long`)
  }
  const many = Array.from({ length: 500 }, (_, index) => `SHOP-${index + 1}`).join(', ')
  assert.equal(found(`fixes ${many}`).length, 100)
})
