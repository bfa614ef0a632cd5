/** What `npm run bench -- --peers` looks at, once with a Sonde: no times are held to anything here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGenerator } from '../../bench/load/start-generator.ts'
import { eventId, idPrefix } from '../../bench/load/template.ts'
import { pythonLikeEnvelopes } from '../../bench/payloads/python-like.ts'
import { sondePeer } from '../../bench/peers/sonde-peer.ts'

const EVENTS = 150

test('a peer says what it stored, shows and costs, and loses nothing by kill -9', async () => {
  const running = await sondePeer('0').start()
  const generator = startGenerator()
  const prefix = idPrefix()
  try {
    await generator.loadGzip('events', pythonLikeEnvelopes({ kinds: true }), running.target)
    const { ok } = await generator.run({
      target: running.target,
      payloads: 'events',
      kinds: 2,
      connections: 4,
      durationMs: 20_000,
      count: EVENTS,
      ratePerSec: undefined,
      idPrefix: prefix,
      firstCounter: 0,
    })
    assert.equal(ok, EVENTS)
    await running.killAndRestart()
    await running.untilQueryable(EVENTS)
    assert.equal(await running.queryable(), EVENTS)
    // A hundred templates, of which the first fifty were sent once more as another kind.
    assert.equal(await running.issues(), 150)
    assert.equal(await running.isVisible(eventId(prefix, EVENTS - 1)), true)
    assert.equal(await running.isVisible(eventId(prefix, EVENTS)), false)
    assert.ok((await running.pages.list()) > 0 && (await running.pages.issue()) > 0)
    if (process.platform === 'linux')
      for (const { role, cpuMs, rssBytes, pssBytes } of running.usage())
        assert.ok(cpuMs > 0 && rssBytes >= pssBytes && pssBytes > 10_000_000, `${role}: ${pssBytes}`)
    assert.ok((await running.stopAndCount()) > 10_000)
  } finally {
    generator.stop()
    await running.remove()
  }
})
