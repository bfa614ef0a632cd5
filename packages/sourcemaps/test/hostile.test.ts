/** Maps that are broken or meant to do harm: a reason that somebody can read, and nothing else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { MAP_PROBLEMS, MapError, type MapProblem, readSourceMap } from '../src/index.ts'
import { MAX_LINES } from '../src/segments.ts'

const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const GOOD = { version: 3, sources: ['src/cart.ts'], names: ['total'], mappings: 'AAAAA,IAAI;AACA' }
const part = (line: number, column: number, map: object = GOOD): object => ({ offset: { line, column }, map })

const REFUSED: Readonly<Record<string, readonly [map: unknown, problem: MapProblem, says: RegExp]>> = {
  'an empty file': ['', 'not_json', /begins with ""/],
  'the HTML of an error page': ['<!doctype html><title>404', 'not_json', /begins with "<!doctype html>/],
  'one that ends early': [JSON.stringify(GOOD).slice(0, -20), 'not_json', /JSON/],
  'a list': [[], 'not_json', /no JSON object/],
  'no version': [{ ...GOOD, version: undefined }, 'version', /version is missing, not 3/],
  'sources that are numbers': [
    { ...GOOD, sources: [1] },
    'field',
    /sources\[0\] is 1; it takes texts or null/,
  ],
  'mappings that end within a number': [{ ...GOOD, mappings: 'AAAg' }, 'mappings', /ends within a number/],
  'mappings of another alphabet': [{ ...GOOD, mappings: 'AÄAA' }, 'mappings', /"Ä" is no base64 digit/],
  'a column below 0': [{ ...GOOD, mappings: 'DAAA' }, 'out_of_range', /a column is -1/],
  'a source that is not there': [
    { ...GOOD, mappings: 'ACAA' },
    'out_of_range',
    /a source is 1; the map allows 0 to 0/,
  ],
  'a number of 40 bits': [{ ...GOOD, mappings: 'ggggggggggB' }, 'out_of_range', /32 bits/],
  'more lines than code has': [{ ...GOOD, mappings: ';'.repeat(MAX_LINES + 1) }, 'out_of_range', /lines/],
  'a section far away': [{ version: 3, sections: [part(2 ** 31 - 1, 0)] }, 'out_of_range', /lines/],
  'sections within sections': [
    { version: 3, sections: [part(0, 0, { version: 3, sections: [part(0, 0)] })] },
    'sections',
    /sections of its own/,
  ],
  'a section at an address': [
    { version: 3, sections: [{ offset: { line: 0, column: 0 }, url: 'http://127.0.0.1/' }] },
    'sections',
    /not fetched/,
  ],
  'sections out of order': [
    { version: 3, sections: [part(5, 0), part(4, 0)] },
    'sections',
    /section 1 begins before/,
  ],
  'a scope that never ends': [{ ...GOOD, scopes: 'BAAA' }, 'mappings', /scopes: 1 have no end/],
  'a scope whose name is not there': [
    { ...GOOD, scopes: 'BFAAC,CAB' },
    'out_of_range',
    /scopes: name 1 of 1/,
  ],
}

describe('a map is refused, with a reason', () => {
  for (const [what, [map, problem, says]] of Object.entries(REFUSED))
    it(what, () =>
      assert.throws(
        () => readSourceMap(bytesOf(map)),
        (error) => {
          assert.ok(error instanceof MapError)
          assert.equal(error.problem, problem)
          assert.match(error.message, says)
          return true
        },
      ),
    )

  it('bytes that are no text', () => {
    assert.throws(() => readSourceMap(Uint8Array.of(0xff, 0xfe, 0x7b)), /no UTF-8/)
  })

  it('every problem has an example', () => {
    const seen = new Set(Object.values(REFUSED).map(([, problem]) => problem))
    assert.deepEqual(
      MAP_PROBLEMS.filter((problem) => !seen.has(problem)),
      // 256 MB are not made for a test.
      ['too_large'],
    )
  })
})

describe('a map is read', () => {
  it('behind the guard that servers put before JSON', () => {
    assert.equal(readSourceMap(bytesOf(`)]}'\n${JSON.stringify(GOOD)}`)).sources[0]?.path, 'src/cart.ts')
  })

  it('whatever its sources are called: names stay texts', () => {
    const sources = [
      '../../../../etc/passwd',
      'webpack:///./src/a.ts?1a2b',
      '',
      '__proto__',
      'a\u0000b',
      null,
    ]
    assert.deepEqual(
      readSourceMap(bytesOf({ ...GOOD, sources, sourceRoot: '' })).sources.map(({ path }) => path),
      sources,
    )
  })

  it('with a sourceRoot, once with a slash between', () => {
    for (const sourceRoot of ['/app', '/app/'])
      assert.equal(readSourceMap(bytesOf({ ...GOOD, sourceRoot })).sources[0]?.path, '/app/src/cart.ts')
  })

  it('whose lines are asked for outside of it: nothing', () => {
    const map = readSourceMap(bytesOf(GOOD))
    for (const [line, column] of [
      [-1, 0],
      [2, 0],
      [0, -1],
      [Number.NaN, 0],
      [0, Number.NaN],
    ] as const)
      assert.equal(map.lookUp(line, column), undefined)
    assert.equal(map.lookUp(0, Infinity)?.column, 4)
  })
})

it('nothing but a MapError is thrown, whatever the bytes are', () => {
  const json = JSON.stringify({ version: 3, sections: [part(0, 0), part(1, 4)], scopes: 'BAAA,CAB' })
  const mutated = fc
    .tuple(
      fc.constantFrom(json, JSON.stringify({ ...GOOD, scopes: 'BFAAA,CAB' })),
      fc.nat(),
      fc.string({ maxLength: 4 }),
    )
    .map(
      ([text, at, put]) =>
        text.slice(0, at % text.length) + put + text.slice((at % text.length) + put.length),
    )
  const anyMap = fc.record(
    {
      version: fc.constant(3),
      sources: fc.jsonValue(),
      names: fc.jsonValue(),
      mappings: fc.string(),
      sections: fc.jsonValue(),
    },
    { requiredKeys: ['version'] },
  )
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), mutated.map(bytesOf), anyMap.map(bytesOf)), (bytes) => {
      try {
        readSourceMap(bytes).lookUp(0, 0)
      } catch (error) {
        assert.ok(error instanceof MapError, String(error))
      }
    }),
    { numRuns: 2000 },
  )
})
