/** Maps that are broken or meant to do harm: a reason that somebody can read, and nothing else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  MAP_PROBLEMS,
  MapError,
  type MapProblem,
  MAX_MAP_BYTES,
  readSourceMap,
  sourceName,
} from '../src/index.ts'

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
  'more lines than can be counted': [
    { version: 3, sections: [part(2 ** 31 - 1, 0)] },
    'out_of_range',
    /a line of generated code is 2147483648/,
  ],
  'a section beyond all columns': [
    { version: 3, sections: [part(0, 2 ** 31 - 1)] },
    'out_of_range',
    /a column is 2147483651/,
  ],
  'a section before the first column': [{ version: 3, sections: [part(0, -1)] }, 'sections', /no offset/],
  'a section whose line is no number': [
    { version: 3, sections: [{ offset: { line: '0', column: 0 }, map: GOOD }] },
    'sections',
    /no offset/,
  ],
  'sections that are a map': [{ version: 3, sections: {} }, 'sections', /no list/],
  'sections and mappings': [{ ...GOOD, sections: [] }, 'sections', /either mappings or sections/],
  'a section that is itself broken': [
    { version: 3, sections: [part(0, 0, { ...GOOD, mappings: '!' })] },
    'mappings',
    /"!" is no base64 digit/,
  ],
  'a version that is deeper than the stack': [
    `{"version":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    'version',
    /version is a list, not 3/,
  ],
  'a source that is deeper than the stack': [
    `{"version":3,"mappings":"","sources":[${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}]}`,
    'field',
    /sources\[0\] is an object/,
  ],
  'a name of sixty megabytes where a number belongs': [
    { ...GOOD, version: 'x'.repeat(60_000_000) },
    'version',
    /^version is "x{40}", not 3$/,
  ],
  'a name that is not there': [{ ...GOOD, mappings: 'AAAAC' }, 'out_of_range', /a name is 1; .* 0 to 0/],
  'a name where there are none': [{ ...GOOD, names: [], mappings: 'AAAAA' }, 'out_of_range', /a name is 0/],
  'an original line below 0': [{ ...GOOD, mappings: 'AADA' }, 'out_of_range', /an original line is -1/],
  'columns that add up to too many': [
    { ...GOOD, mappings: 'AAAA,+/////DAAA,CAAA' },
    'out_of_range',
    /a column is 2147483648/,
  ],
  'names that are null': [{ ...GOOD, names: [null] }, 'field', /names\[0\] is null/],
  'an ignore list of sources that are not there': [
    { ...GOOD, ignoreList: [1] },
    'field',
    /ignoreList\[0\] is 1/,
  ],
  'more values than are made': [
    `{"version":3,"sources":[${'[],'.repeat(2_000_001)}[]]}`,
    'too_large',
    /more than 2000000 values/,
  ],
  'more scopes than are kept': [
    { ...GOOD, scopes: `${'BAAA,CAA,'.repeat(1_000_001)}BAAA,CAA` },
    'too_large',
    /scopes/,
  ],
  'more empty scopes than are kept': [{ ...GOOD, scopes: ','.repeat(1_000_002) }, 'too_large', /scopes/],
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

  for (const [what, bytes] of Object.entries({
    'bytes that are no text': [0xff, 0xfe, 0x7b],
    'UTF-16 with its mark': [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
    'a letter that is cut in two': bytesOf('{"file":"ä"}').slice(0, 10),
    'one half of a pair': [...bytesOf('"'), 0xed, 0xa0, 0x80, ...bytesOf('"')],
  }))
    it(what, () => assert.throws(() => readSourceMap(Uint8Array.from(bytes)), /no UTF-8/))

  it('more bytes than are read, whatever they are', () => {
    const problem = { problem: 'too_large', message: '268435457 bytes; at most 268435456 are read' }
    assert.throws(() => readSourceMap(new Uint8Array(MAX_MAP_BYTES + 1)), problem)
  })

  it('every problem has an example', () => {
    const seen = new Set(Object.values(REFUSED).map(([, problem]) => problem))
    assert.deepEqual(
      MAP_PROBLEMS.filter((problem) => !seen.has(problem)),
      [],
    )
  })
})

describe('a map is read', () => {
  it('behind the guard that servers put before JSON', () => {
    assert.equal(readSourceMap(bytesOf(`)]}'\n${JSON.stringify(GOOD)}`)).sources[0]?.path, 'src/cart.ts')
  })

  it('behind a byte order mark, and behind both', () => {
    for (const before of ['\ufeff', "\ufeff)]}'\n"])
      assert.equal(readSourceMap(bytesOf(before + JSON.stringify(GOOD))).lookUp(0, 0)?.name, 'total')
  })

  it('without what it says of React Native, of debuggers, and of nobody knows what', () => {
    const extra = {
      x_facebook_sources: [[{ names: ['<global>', 'f'], mappings: 'AAA,ECA' }]],
      x_hermes_function_offsets: { 0: [0, 5] },
      x_google_linecount: 7,
      x_deep: { a: [[[[null]]]] },
    }
    const text = JSON.stringify({ ...GOOD, ...extra }).replace(
      '"x_deep"',
      '"__proto__":{"polluted":1},"x_deep"',
    )
    assert.equal(readSourceMap(bytesOf(text)).lookUp(1, 0)?.line, 1)
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  })

  it('whose sections begin a thousand million lines down: lines without code cost nothing', () => {
    const far = 2 ** 31 - 3
    const map = readSourceMap(bytesOf({ version: 3, sections: [part(0, 0), part(far, 7)] }))
    assert.deepEqual([map.lookUp(far, 7)?.line, map.lookUp(far + 1, 0)?.line], [0, 1])
    assert.deepEqual([map.lookUp(far, 6), map.lookUp(far - 1, 9)], [undefined, undefined])
    assert.ok(map.bytes < 2000, `${map.bytes}`)
  })

  it('whose sources are one and the same, or have no name', () => {
    const map = readSourceMap(
      bytesOf({
        ...GOOD,
        sources: ['a.ts', null, 'a.ts'],
        sourcesContent: ['one', null, 'three'],
        mappings: 'AAAA,CCAA,CCAA',
      }),
    )
    assert.deepEqual(
      [0, 1, 2].map((column) => [map.lookUp(0, column)?.source.path, map.lookUp(0, column)?.source.content]),
      [
        ['a.ts', 'one'],
        [null, null],
        ['a.ts', 'three'],
      ],
    )
  })

  it('with numbers that are written with more digits than they need', () => {
    const map = readSourceMap(bytesOf({ ...GOOD, mappings: `A${'g'.repeat(100_000)}AAA` }))
    assert.equal(map.lookUp(0, 0)?.line, 0)
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
    assert.equal(sourceName('../../../../etc/passwd'), 'etc/passwd')
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
        const map = readSourceMap(bytes)
        for (const at of [0, 1, 2 ** 31, -1, Infinity]) map.lookUp(at, at)
      } catch (error) {
        assert.ok(error instanceof MapError, String(error))
      }
    }),
    { numRuns: 2000 },
  )
})
