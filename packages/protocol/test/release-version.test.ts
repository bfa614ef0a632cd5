import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  compareReleases,
  compareVersions,
  inReleaseOrder,
  parseReleaseVersion,
  type Release,
} from '@sonde/protocol/release-version'
import fc from 'fast-check'

/** Each list is oldest first. */
const ORDERED: readonly (readonly string[])[] = [
  // https://semver.org/#spec-item-11
  [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
  ],
  ['1.9.9', '1.10.0', '2.0.0', '2.1.0', '2.1.1'],
  ['shop@1.2.3', 'shop@1.2.3+7', 'shop@1.2.3+10', 'shop@1.2.3+abc', 'shop@1.2.4-rc.1', 'shop@1.2.4'],
  ['@acme/shop@0.9.0', '@acme/shop@0.10.0'],
  ['v1.9', 'v1.10', '1.11'],
  ['23.12.1', '2024.01.09', '2024.1.10', '2024.10.1'],
  ['2024-02-28', '2024-02-29', '2024-02-29-1', '2024-02-29-10', '2024-03-01'],
  ['2024.2.29-rc.1', '2024.2.29', '2024.2.29-2', '2024.3'],
  ['20240131', '20240201', '20240201-1', '20240201-2', '20240202.1'],
  ['7', '41', '1000'],
  ['1.2.3.4', '1.2.3.10', '1.2.4'],
  ['1.0.0-99999999999999999999', '1.0.0-100000000000000000000', '1.0.0-a'],
]

const WITHOUT_ORDER = [
  'a1b2c3d',
  'deadbeef',
  'main',
  'v',
  '1.2.x',
  '1..2',
  '1.2.3-',
  '1.2.3-a..b',
  '-1',
  ' 1',
  '1e5',
  '1'.repeat(40),
  '',
]

describe('the order of versions', () => {
  for (const list of ORDERED)
    it(list.join(' < '), () => {
      for (const [at, a] of list.entries())
        for (const [other, b] of list.entries()) {
          const order = compareVersions(a, b)
          assert.equal(Math.sign(order ?? Number.NaN), Math.sign(at - other), `${a} and ${b}`)
        }
    })

  it('versions that are the same but for their writing', () => {
    for (const [a, b] of [
      ['1.2', '1.2.0'],
      ['v1.2.0', '1.2'],
      ['01.2', '1.2'],
      ['1.0+a', '1.0+b'],
    ] as const)
      assert.equal(compareVersions(a, b), 0, `${a} and ${b}`)
  })

  it('no order: hashes, words, and other packages', () => {
    for (const version of WITHOUT_ORDER) {
      assert.equal(parseReleaseVersion(version).numbers, undefined, version)
      assert.equal(compareVersions(version, '1.0.0'), undefined, version)
      assert.equal(compareVersions('1.0.0', version), undefined, version)
    }
    assert.equal(compareVersions('shop@1.0.0', 'api@2.0.0'), undefined)
    assert.equal(compareVersions('shop@1.0.0', '2.0.0'), undefined)
    assert.equal(compareVersions('main', 'main'), 0)
  })

  it('where versions do not tell, time does', () => {
    const at = (version: string, firstSeenMs: number): Release => ({ version, firstSeenMs })
    assert.ok(compareReleases(at('deadbeef', 2), at('1.0.0', 1)) > 0)
    assert.ok(compareReleases(at('deadbeef', 1), at('1.0.0', 2)) < 0)
    assert.ok(compareReleases(at('2.0.0', 1), at('1.0.0', 2)) > 0)
    assert.deepEqual(
      inReleaseOrder([at('2.0', 1), at('abc', 2), at('1.0', 3), at('def', 4)]).map(({ version }) => version),
      ['abc', '1.0', '2.0', 'def'],
    )
  })
})

const part = fc.nat({ max: 30 }).map(String)
const identifier = fc.constantFrom('alpha', 'beta', 'rc', '0', '1', '2', '11', '007', 'x-y')
const numbered = fc
  .record({
    packageName: fc.constantFrom('', '', 'shop@', 'api@'),
    numbers: fc.array(part, { minLength: 1, maxLength: 4 }),
    prerelease: fc.oneof(fc.constant([]), fc.array(identifier, { minLength: 1, maxLength: 3 })),
    build: fc.constantFrom('', '', '+5', '+12', '+a', '+b'),
  })
  .map(
    ({ packageName, numbers, prerelease, build }) =>
      `${packageName}${numbers.join('.')}${prerelease.length > 0 ? `-${prerelease.join('.')}` : ''}${build}`,
  )
const version = fc.oneof(
  { arbitrary: numbered, weight: 4 },
  { arbitrary: fc.constantFrom('abc1234', 'deadbee', 'shop@main', 'api@feed123'), weight: 1 },
)
const release = fc.record({ version, firstSeenMs: fc.nat({ max: 6 }) })
/** Of one version there is one release. */
const releases = fc.uniqueArray(release, { selector: (each) => each.version, maxLength: 12 })
const RUNS = { numRuns: 2_000 }

describe('properties of the order', () => {
  it('is antisymmetric, and defined either way or in none', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const [order, back] = [compareVersions(a, b), compareVersions(b, a)]
        if (order === undefined) return back === undefined
        return Math.sign(order) === -Math.sign(back ?? Number.NaN)
      }),
      RUNS,
    )
  })

  it('is transitive, also in being defined and in being the same', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const [ab, bc, ac] = [compareVersions(a, b), compareVersions(b, c), compareVersions(a, c)]
        if (ab === undefined || bc === undefined) return true
        if (ac === undefined) return false
        if (ab <= 0 && bc <= 0) return ab === 0 && bc === 0 ? ac === 0 : ac < 0
        return true
      }),
      RUNS,
    )
  })

  it('any two releases are in an order, and none is after itself', () => {
    fc.assert(
      fc.property(release, release, (a, b) => {
        const order = compareReleases(a, b)
        if (a.version === b.version) return Math.sign(order) === Math.sign(a.firstSeenMs - b.firstSeenMs)
        return order !== 0 && Math.sign(order) === -Math.sign(compareReleases(b, a))
      }),
      RUNS,
    )
  })

  it('a list has one order, whichever it had before, and versions are never against it', () => {
    fc.assert(
      fc.property(
        releases.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => {
          const ordered = inReleaseOrder(list)
          assert.deepEqual(inReleaseOrder(shuffled), ordered)
          for (const [at, a] of ordered.entries())
            for (const b of ordered.slice(at + 1))
              assert.ok((compareVersions(a.version, b.version) ?? -1) <= 0)
        },
      ),
      RUNS,
    )
  })

  it('releases without an order stand by time among each other', () => {
    fc.assert(
      fc.property(releases, (list) => {
        const times = inReleaseOrder(list)
          .filter(({ version: each }) => parseReleaseVersion(each).numbers === undefined)
          .map(({ firstSeenMs }) => firstSeenMs)
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        )
      }),
      RUNS,
    )
  })
})
