import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewScrub } from '@sonde/pipeline/scrub'
import type { ScrubRules } from '@sonde/stores'
import fc from 'fast-check'

const RULES: ScrubRules = {
  enabled: true,
  sensitiveFields: [],
  safeFields: [],
  scrubIp: false,
  maskReplayTexts: false,
  maskReplayInputs: false,
}

const SAMPLE = JSON.stringify({
  user: { id: '42', ip_address: '203.0.113.9' },
  extra: { password: 'hunter2', iban: 'DE02120300000000202051', note: 'card 4111 1111 1111 1111' },
  request: { url: 'https://shop.example/?token=abc', headers: [['Authorization', 'Bearer abcdefgh1']] },
})

const removedWith = (rules: Partial<ScrubRules>) => {
  const preview = previewScrub({ ...RULES, ...rules }, SAMPLE)
  assert.ok(preview.ok)
  return preview.removed.map(({ path, rule }) => `${path} ${rule}`).toSorted()
}

test('the preview says what goes, and by which rule', () => {
  assert.deepEqual(removedWith({}), [
    'extra.note @creditcard',
    'extra.password @password',
    'request.headers.Authorization @password',
    'request.query_string.token @password',
  ])
})

test('own names, safe names, addresses and the switch each change it', () => {
  assert.ok(removedWith({ sensitiveFields: ['iban'] }).includes('extra.iban @password'))
  assert.ok(!removedWith({ safeFields: ['password'] }).includes('extra.password @password'))
  assert.deepEqual(removedWith({ enabled: false, scrubIp: true }), ['user.ip_address @ip'])
  assert.deepEqual(removedWith({ enabled: false }), [])
})

test('before and after are what was pasted, without what the server adds', () => {
  const preview = previewScrub(RULES, '{"extra":{"password":"hunter2","n":1}}')
  assert.deepEqual(preview, {
    ok: true,
    before: { extra: { password: 'hunter2', n: 1 } },
    after: { extra: { password: '[Filtered]', n: 1 } },
    removed: [{ path: 'extra.password', rule: '@password' }],
  })
})

test('any object can be tried: what is no field of an event is looked through alike', () => {
  const preview = previewScrub(RULES, '{"cart":{"api_key":"k-123456"}}')
  assert.ok(preview.ok)
  assert.deepEqual(preview.removed, [{ path: 'unknown.cart.api_key', rule: '@password' }])
})

test('what is no JSON object is answered with a sentence', () => {
  for (const sample of ['', '{', '[]', 'null', '"x"', '1']) {
    const preview = previewScrub(RULES, sample)
    assert.ok(!preview.ok && preview.message.startsWith('This is no JSON'), sample)
  }
})

test('whatever is pasted, it ends, is the same each time, and every path it names is in "before"', () => {
  fc.assert(
    fc.property(fc.json(), (sample) => {
      const preview = previewScrub({ ...RULES, scrubIp: true }, sample)
      assert.deepEqual(previewScrub({ ...RULES, scrubIp: true }, sample), preview)
      if (!preview.ok) return
      assert.equal(
        preview.removed.length > 0,
        JSON.stringify(preview.before) !== JSON.stringify(preview.after),
      )
    }),
  )
})
