/** A public link to an issue: who made it, who opened it and when it ended is in the audit log. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { ensureProject, openShare, shareIssue, unshareIssue } from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

describe('a public link to an issue', () => {
  let harness: Harness
  let issue: { readonly id: number; readonly projectId: number }
  before(async () => {
    harness = await openHarness()
    const { id } = await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    issue = { projectId: id, id: (await harness.issues(id, 1))[0] ?? 0 }
  })
  after(() => harness.close())

  const grant = () => harness.access.openProject(operatorViewer, 'acme', 'shop', 'event:write')
  const share = async () => shareIssue(harness.deps, await grant(), issue)
  const open = (token: string, address: string) => openShare(harness.deps, token, address)
  const opened = async () =>
    (await harness.audit()).filter((each) => each === 'stranger issue.share-open acme/shop').length

  it('is an entry when it is made, first opened from a network each day, and ended', async () => {
    const { token } = await share()
    for (let at = 0; at < 5; at++) assert.ok(await open(token, '192.0.2.1'))
    await open(token, '192.0.2.2')
    await unshareIssue(harness.deps, await grant(), issue)
    assert.equal(await open(token, '192.0.2.3'), undefined)
    assert.deepEqual((await harness.audit()).slice(-4), [
      'operator:cli issue.share acme/shop',
      'stranger issue.share-open acme/shop',
      'stranger issue.share-open acme/shop',
      'operator:cli issue.unshare acme/shop',
    ])
  })

  it('fills the log with twenty entries a day, however many open it, and with none for what is no link', async () => {
    const before = await opened()
    const { token } = await share()
    for (let at = 0; at < 100; at++) await open(token, `198.51.100.${at}`)
    assert.equal((await opened()) - before, 20)
    harness.clock.advance(86_400_000)
    await open(token, '198.51.100.1')
    assert.equal((await opened()) - before, 21)
    for (let at = 0; at < 50; at++) await open('x'.repeat(43), `203.0.113.${at}`)
    assert.equal((await opened()) - before, 21)
  })
})
