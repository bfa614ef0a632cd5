/** Answers that only Sonde has, with everything in them: the harness holds each to the document. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { createMonitor } from '@sonde/commands'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const HOUR_MS = 3_600_000

describe('an answer of Sonde’s own', () => {
  let harness: Harness
  let token = ''

  before(async () => {
    harness = await openHarness()
    const { id: projectId } = await harness.project('acme', 'shop')
    token = await harness.token(['alerts:read', 'event:admin', 'event:read', 'org:read'], 'acme')
    await harness.issue(projectId, {}, [
      { userKey: 'email:ann@example.com', event: { user: { email: 'ann@example.com' } } },
      { event: { extra: { note: 'called ann@example.com' } } },
    ])
  })
  after(() => harness.close())

  const ask = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const response = await harness.fetch(`/api/0/organizations/acme/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${path} ${response.status}`)
    return (await response.json()) as Answer
  }

  it('is that of a monitor: before it was checked, and after', async () => {
    const grant = await harness.access.openProject(operatorViewer, 'acme', 'shop', 'alert:write')
    const { id } = await createMonitor(harness.commands, grant, {
      name: 'Shop',
      monitor: {
        url: 'https://shop.example.com/',
        headers: [{ name: 'authorization', value: 'Bearer a-secret', isSecret: true }],
        json: [{ path: 'state', equals: 'ok' }],
      },
    })
    type Monitor = { lastCheck: unknown; availability: { day: { share: number | null } }; config: object }
    const fresh = await ask<Monitor>(`uptime/${id}/`)
    assert.equal(fresh.lastCheck, null)
    assert.equal(fresh.availability.day.share, null)
    assert.equal(JSON.stringify(fresh.config).includes('a-secret'), false)

    const checked = { checked_ms: NOW_MS, outcome: 'status', reason: '503', status: 503, total_ms: 12 }
    await harness.db.updateTable('uptime_state').set(checked).where('monitor_id', '=', id).execute()
    const hour = { monitor_id: id, hour_ms: NOW_MS - HOUR_MS, checks: 1_000, failed: 10, up_ms: 5_000 }
    await harness.db.insertInto('uptime_hour').values(hour).execute()
    const { lastCheck, availability } = await ask<Monitor>(`uptime/${id}/`)
    assert.equal(availability.day.share, 0.99)
    assert.deepEqual(lastCheck, {
      dateCreated: '2026-01-31T12:00:00.000000Z',
      outcome: 'status',
      reason: '503',
      httpStatusCode: 503,
      durationMs: 12,
    })
  })

  it('is that of a person, found and asked to be erased', async () => {
    const person = { email: 'ann@example.com' }
    const { kinds, total } = await ask<{ kinds: object[]; total: number }>('personal-data/find/', person)
    assert.deepEqual([kinds, total], [[{ kind: 'events', asUser: 1, inTexts: 1 }], 2])
    const { id } = await ask<{ id: string }>('personal-data/erase/', person)
    const { state, scope } = await ask<{ state: string; scope: string }>(`personal-data/erasures/${id}/`)
    assert.deepEqual([state, scope], ['waits', 'acme'])
  })
})
