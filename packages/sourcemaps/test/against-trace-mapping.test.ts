/** The same positions as the library that bundlers use, for maps of real builds and for maps made at random. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { AnyMap, encodedMappings, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import fc from 'fast-check'
import { readSourceMap } from '../src/index.ts'
import { suite } from './known-failures.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/source-maps/symbolic')
const bytesOf = (map: object): Uint8Array => new TextEncoder().encode(JSON.stringify(map))

function compare(bytes: Uint8Array, positions: Iterable<readonly [line: number, column: number]>): number {
  const ours = readSourceMap(bytes)
  const theirs = new AnyMap(new TextDecoder().decode(bytes))
  let found = 0
  for (const [line, column] of positions) {
    const expected = originalPositionFor(theirs, { line: line + 1, column })
    const position = ours.lookUp(line, column)
    // The library's word for a source without a name is the empty one.
    const seen = position && [position.source.path ?? '', position.line + 1, position.column, position.name]
    if (position) found++
    const { source, line: expectedLine, column: expectedColumn, name } = expected
    const isNowhere = expectedLine === null
    assert.deepEqual(
      seen,
      isNowhere ? undefined : [source, expectedLine, expectedColumn, name],
      `${line}:${column}`,
    )
  }
  return found
}

function* grid(lines: number, columns: number, step: number): Iterable<readonly [number, number]> {
  for (let line = 0; line < lines; line++)
    for (let column = 0; column < columns; column += step) yield [line, column]
}

const mapsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.map'))

suite(
  'symbolic',
  mapsIn(FOLDER).map((file) => [
    file,
    () => {
      const found = compare(readFileSync(join(FOLDER, file)), grid(40, 20_000, 7))
      assert.ok(found > 0)
    },
  ]),
  11,
)

const segment = fc.tuple(
  fc.nat(500),
  fc.option(fc.tuple(fc.nat(2), fc.nat(1000), fc.nat(1000), fc.option(fc.nat(3)))),
)
const mappings = fc.array(fc.array(segment, { maxLength: 12 }), { maxLength: 12 })
type Lines = typeof mappings extends fc.Arbitrary<infer Value> ? Value : never
const decodedOf = (lines: Lines): number[][][] =>
  lines.map((line) =>
    line.map(([column, origin]): number[] =>
      origin === null
        ? [column]
        : ([column, ...origin.slice(0, 3), ...(origin[3] === null ? [] : [origin[3]])] as number[]),
    ),
  )

const section = fc.record({
  lines: fc.nat(3),
  columns: fc.integer({ min: 1, max: 300 }),
  mappings: fc.array(fc.array(segment, { maxLength: 6 }), { maxLength: 4 }),
})

it('index maps made at random, whose sections run into each other', () => {
  fc.assert(
    fc.property(fc.array(section, { minLength: 1, maxLength: 4 }), (given) => {
      const offset = { line: 0, column: 0 }
      const sections = given.map(({ lines, columns, mappings: own }, at) => {
        if (at > 0) {
          offset.column = lines > 0 ? columns : offset.column + columns
          offset.line += lines
        }
        const sorted = decodedOf(own).map((line) => line.toSorted((a, b) => a[0]! - b[0]!))
        const fields = { version: 3 as const, sources: ['a.ts', 'b.ts', 'c.ts'], names: ['f', 'g', 'h', 'i'] }
        return { offset: { ...offset }, map: { ...fields, mappings: encode(sorted) } }
      })
      compare(bytesOf({ version: 3, sections }), grid(17, 1300, 7))
    }),
    { numRuns: 100 },
  )
})

it('maps made at random, their lines in any order', () => {
  fc.assert(
    fc.property(mappings, (lines) => {
      const decoded = decodedOf(lines)
      const map = { version: 3 as const, sources: ['a.ts', 'b.ts', 'c.ts'], names: ['f', 'g', 'h', 'i'] }
      // Encoded as it is: the library would sort what it has read.
      const encoded = encode(decoded)
      const sorted = decoded.map((line) => line.toSorted((a, b) => a[0]! - b[0]!))
      assert.equal(encodedMappings(new TraceMap({ ...map, mappings: sorted as never })), encode(sorted))
      compare(bytesOf({ ...map, mappings: encoded }), grid(13, 520, 3))
    }),
    { numRuns: 150 },
  )
})

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
function vlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2
  let text = ''
  do {
    const digit = rest % 32
    rest = Math.floor(rest / 32)
    text += LETTERS[rest > 0 ? digit + 32 : digit]
  } while (rest > 0)
  return text
}

/** As ECMA-426 says: every field relative to the one before it, columns anew on each line. */
function encode(lines: readonly (readonly (readonly number[])[])[]): string {
  const before = [0, 0, 0, 0, 0]
  return lines
    .map((line) => {
      before[0] = 0
      return line
        .map((fields) =>
          fields
            .map((field, at) => {
              const delta = field - before[at]!
              before[at] = field
              return vlq(delta)
            })
            .join(''),
        )
        .join(',')
    })
    .join(';')
}
