import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccess, dropSecondFactors, reencryptSecondFactors } from '@sonde/access'
import { silentLogger } from '@sonde/base'
import { writeTransaction } from '@sonde/stores'
import { totp } from '../../../tests/harness/totp.ts'
import { cookieHeader, openHarness, PASSWORD } from './harness.ts'

const [OLD, NEW] = ['o'.repeat(43), 'n'.repeat(43)]
const EMAIL = 'ada@acme.test'

test('authenticator apps and backup codes go on with another key; without the old one nothing is changed', async (t) => {
  const harness = await openHarness({ secret: OLD })
  t.after(() => harness.close())
  await harness.member(EMAIL, 'member')
  const withSecret = (secret: string) => {
    const { db: records, clock } = harness
    return createAccess({ records, secret, clock, publicUrl: 'http://sonde.test', logger: silentLogger })
  }
  const first = await harness.access.signIn({ email: EMAIL, password: PASSWORD, headers: new Headers() })
  assert.ok(first.ok)
  const headers = cookieHeader(first.setCookies)
  const viewer = await harness.access.viewerFromCookies(headers)
  assert.ok(viewer)
  const { otpauthUri, backupCodes } = await harness.access.enableTwoFactor(viewer, PASSWORD, headers)
  await harness.access.confirmTwoFactor(viewer, totp(otpauthUri), headers)
  const stored = () => harness.db.selectFrom('twoFactor').selectAll().execute()

  const before = await stored()
  const wrong = { from: 'w'.repeat(43), to: NEW }
  await assert.rejects(writeTransaction(harness.db, (tx) => reencryptSecondFactors(tx, wrong)))
  assert.deepEqual(await stored(), before)

  const count = await writeTransaction(harness.db, (tx) => reencryptSecondFactors(tx, { from: OLD, to: NEW }))
  assert.equal(count, 1)
  const access = withSecret(NEW)
  for (const code of [totp(otpauthUri), backupCodes[0] ?? '']) {
    const step = await access.signIn({ email: EMAIL, password: PASSWORD, headers: new Headers() })
    assert.ok(!step.ok && step.reason === 'second-factor')
    const done = await access.secondFactor.verify({ code, headers: cookieHeader(step.setCookies) })
    assert.equal(done.ok, true, code)
  }
  // A cookie that the old key signed opens nothing.
  assert.equal(await access.viewerFromCookies(headers), undefined)

  assert.equal(await writeTransaction(harness.db, (tx) => dropSecondFactors(tx)), 1)
  const alone = await withSecret(OLD).signIn({ email: EMAIL, password: PASSWORD, headers: new Headers() })
  assert.equal(alone.ok, true)
})
