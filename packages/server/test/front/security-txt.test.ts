import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fixedClock } from '@sonde/base'
import { listen } from '../../src/front/listen.ts'
import { createSecurityTxt, type SecurityTxtOptions } from '../../src/front/security-txt.ts'

const NOW_MS = Date.UTC(2026, 10, 22, 14, 30)

async function served(t: TestContext, options: Omit<SecurityTxtOptions, 'clock'>): Promise<string> {
  const handler = createSecurityTxt({ ...options, clock: fixedClock(NOW_MS) })
  const listening = await listen(handler, { host: '127.0.0.1', port: 0 })
  t.after(() => listening.stop(0))
  return `http://127.0.0.1:${listening.port}/.well-known/security.txt`
}

test('the contact that the operator set is said, with a date within the next year and the address it holds for', async (t) => {
  const url = await served(t, {
    contact: 'mailto:security@acme.test',
    publicUrl: 'https://sonde.acme.test',
  })
  const answer = await fetch(url)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.deepEqual((await answer.text()).split('\n'), [
    'Contact: mailto:security@acme.test',
    'Expires: 2027-02-20T00:00:00.000Z',
    'Preferred-Languages: en',
    'Canonical: https://sonde.acme.test/.well-known/security.txt',
    '',
  ])
})

test('without a contact there is no file, and the answer names the setting', async (t) => {
  const answer = await fetch(await served(t, { contact: undefined, publicUrl: undefined }))
  assert.equal(answer.status, 404)
  assert.match(await answer.text(), /SONDE_SECURITY_CONTACT/)
})

test('a canonical address is only named when it is https', async (t) => {
  const options = { contact: 'https://acme.test/security', publicUrl: 'http://sonde.acme.test' }
  assert.doesNotMatch(await (await fetch(await served(t, options))).text(), /Canonical/)
})
