/**
 * Grouping v1 is frozen. `v1-frozen.json` holds the hashes of fixture events as the released code made them, through
 * the normaliser, because an issue does not care which of the two regrouped it. Never edit an entry of a fixture that
 * stands there: a change of grouping is `group/v2`. To record hashes of added fixtures: `node v1-frozen-record.ts`.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { groupEvent } from '../../src/group/group-event.ts'
import { normalizeEvent } from '../../src/normalize/index.ts'
import { fixtureNames, groupFixture, readFixture } from './fixture-events.ts'

const frozen = JSON.parse(readFileSync(new URL('v1-frozen.json', import.meta.url), 'utf8')) as Record<
  string,
  string[]
>

describe('grouping v1', () => {
  it('gives every recorded event the hashes it had', () => {
    assert.ok(Object.keys(frozen).length >= 60)
    for (const [name, hashes] of Object.entries(frozen))
      assert.deepEqual(groupFixture(name).hashes, hashes, name)
  })

  it('imports nothing living: node, its own folder, and types', () => {
    const folder = new URL('../../src/group/v1/', import.meta.url)
    for (const file of readdirSync(folder)) {
      const source = readFileSync(new URL(file, folder), 'utf8')
      for (const [line, path] of source.matchAll(
        /^(?:import|export)\b[^'\n]*(?:\{[^}]*\}[^'\n]*)?from '([^']+)'/gm,
      )) {
        const isFrozen = /^\.\/[\w-]+\.ts$/.test(path ?? '') || path?.startsWith('node:')
        assert.ok(isFrozen || line.startsWith('import type'), `${file}: ${line}`)
      }
      assert.doesNotMatch(source, /\bimport\(|require\(/)
    }
  })
})

describe('any fixture event', () => {
  for (const name of fixtureNames()) {
    it(`${name} has a hash, the same each time, with a trace that says why`, () => {
      const first = groupFixture(name)
      assert.ok(first.hashes.length >= 1)
      for (const hash of first.hashes) assert.match(hash, /^[0-9a-f]{32}$/)
      assert.ok(first.parts.length >= 1)
      assert.deepEqual(groupFixture(name), first)
    })
  }

  it('groups alike whatever the order of its keys', () => {
    const names = fixtureNames()
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.integer(), (name, seed) => {
        assert.deepEqual(groupOf(shuffleKeys(readFixture(name), seed)).hashes, groupFixture(name).hashes)
      }),
      { numRuns: 150 },
    )
  })

  it('groups alike at another time, on another machine, for another user', () => {
    for (const name of fixtureNames()) {
      const event = readFixture(name) as Record<string, unknown>
      if (JSON.stringify(event['fingerprint'] ?? '').includes('{{')) continue
      const other = {
        ...event,
        event_id: 'f'.repeat(32),
        timestamp: 1_700_000_000,
        server_name: 'web-9',
        user: { id: '7' },
      }
      assert.deepEqual(groupOf(other).hashes, groupFixture(name).hashes, name)
    }
  })

  it('does not throw on any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.ok(
          groupOf({ exception: value, threads: value, fingerprint: value, logentry: value }).hashes.length >
            0,
        )
      }),
    )
  })
})

function groupOf(raw: unknown) {
  const context = { eventId: '0'.repeat(32), receivedMs: 0, itemType: 'event', retentionDays: 90 }
  return groupEvent(normalizeEvent(raw, context))
}

function shuffleKeys(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((entry) => shuffleKeys(entry, seed))
  if (typeof value !== 'object' || value === null) return value
  const rank = (key: string): number => Buffer.from(key).reduce((sum, byte) => (sum * 31 + byte) | 0, seed)
  const entries = Object.entries(value).toSorted(([a], [b]) => rank(a) - rank(b))
  return Object.fromEntries(entries.map(([key, entry]) => [key, shuffleKeys(entry, seed)]))
}
