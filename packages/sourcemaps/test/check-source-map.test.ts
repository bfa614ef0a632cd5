import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { checkSourceMap, MapError, readSourceMap } from '../src/index.ts'
import { MAX_SEGMENTS } from '../src/segments.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/source-maps/tc39/resources')
const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

/** What one of the two says about it: the debug id and how many sources there are, or why not. */
function verdict(read: () => { debugId: string | undefined; count: number }): unknown {
  try {
    return read()
  } catch (error) {
    assert.ok(error instanceof MapError)
    return { problem: error.problem, message: error.message }
  }
}
const checked = (bytes: Uint8Array): unknown =>
  verdict(() => {
    const { debugId, sourceCount } = checkSourceMap(bytes)
    return { debugId, count: sourceCount }
  })
const read = (bytes: Uint8Array): unknown =>
  verdict(() => {
    const { debugId, sources } = readSourceMap(bytes)
    return { debugId, count: sources.length }
  })

describe('checking a map', () => {
  it('says what reading it says, for every map of the standard’s suite', () => {
    const maps = readdirSync(FOLDER).filter((name) => name.endsWith('.map'))
    assert.ok(maps.length > 50)
    for (const name of maps) {
      const bytes = readFileSync(join(FOLDER, name))
      assert.deepEqual(checked(bytes), read(bytes), name)
    }
  })

  it('says what reading it says, whatever its fields are', () => {
    const letters = fc.constantFrom('A', 'A', 'A', 'C', 'D', 'E', 'K', 'g', ';', ',', '{', 'Ä')
    const text = fc.string({ unit: letters, maxLength: 30 })
    const fields = fc.record(
      {
        version: fc.constantFrom(3, 3, 3, '3'),
        sources: fc.constantFrom([], ['a'], ['a', null], [1]),
        sourcesContent: fc.constantFrom(['x'], [null], 1),
        names: fc.constantFrom([], ['n']),
        mappings: text,
        scopes: text,
        debugId: fc.constantFrom('85314830-023f-4cf1-a267-535f4e37bb17', 'x'),
      },
      { requiredKeys: ['version', 'sources', 'mappings'] },
    )
    const section = fc.record({
      offset: fc.record({ line: fc.nat(3), column: fc.nat(3) }),
      map: fields,
    })
    const indexed = fc.record({ version: fc.constant(3), sections: fc.array(section, { maxLength: 3 }) })
    fc.assert(
      fc.property(fc.oneof(fields, indexed), (map) => {
        assert.deepEqual(checked(bytesOf(map)), read(bytesOf(map)))
      }),
    )
  })

  it('counts the sources whose text is in it', () => {
    const map = { version: 3, sources: ['a', 'b', null], sourcesContent: ['x', null], mappings: 'AAAA,CACA' }
    const { sourceCount, contentCount, segmentCount } = checkSourceMap(bytesOf(map))
    assert.deepEqual([sourceCount, contentCount, segmentCount], [3, 1, 2])
  })

  it('refuses more segments than are kept, without keeping any', () => {
    const map = { version: 3, sources: [], mappings: 'A,'.repeat(MAX_SEGMENTS) + 'A' }
    assert.throws(() => checkSourceMap(bytesOf(map)), { problem: 'too_large' })
  })
})
