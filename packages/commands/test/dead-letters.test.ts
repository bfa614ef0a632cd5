/** Who may decide about dead letters, and that every decision is written down. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openInstallation, operatorViewer } from '@sonde/access'
import { changeDeadLetters, ensureProject, setOperator } from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

describe('decisions about dead letters', () => {
  let harness: Harness
  const calls: string[] = []
  const act = (what: string) => (id: number) => {
    calls.push(`${what} ${id}`)
    return id === 13 ? Promise.reject(new Error('its bytes are gone')) : Promise.resolve()
  }
  const dead = { waiting: () => Promise.resolve([3, 13, 1]), replay: act('replay'), discard: act('discard') }
  before(async () => {
    harness = await openHarness()
    for (const org of ['acme', 'rival'])
      await ensureProject(harness.deps, operatorViewer, { org, slug: 'shop' })
  })
  after(() => harness.close())

  it('are an operator’s alone, whatever somebody is in an organization', async () => {
    for (const [org, role] of [
      ['acme', 'owner'],
      ['rival', 'owner'],
    ] as const) {
      const viewer = await harness.viewer(org, role)
      assert.throws(() => openInstallation(viewer), { kind: 'forbidden' })
    }
  })

  it('are done one by one, and audited with what failed', async () => {
    const { email } = await harness.viewer('acme', 'viewer', 'ops@acme.test')
    await setOperator(harness.deps, operatorViewer, { email, isOperator: true })
    const operator = await harness.signIn(email, 'correct horse')
    assert.ok(operator)
    const report = await changeDeadLetters(harness.deps, dead, openInstallation(operator), 'replay', 'all')
    assert.deepEqual(report, { done: [3, 1], failed: [{ id: 13, message: 'its bytes are gone' }] })
    await changeDeadLetters(harness.deps, dead, openInstallation(operatorViewer), 'discard', [7])
    assert.deepEqual(calls, ['replay 3', 'replay 13', 'replay 1', 'discard 7'])
    const audit = await harness.audit()
    assert.deepEqual(audit.slice(-2), [
      `user:${operator.userId} dead_letter.replay all`,
      'operator:cli dead_letter.discard 7',
    ])
  })
})
