/** The same positions as the library that bundlers use, for maps of real builds and for maps made at random. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { AnyMap, encodedMappings, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import fc from 'fast-check'
import { readSourceMap } from '../src/index.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/source-maps/symbolic')
const REAL = [
  'py/coolstuff.min.map',
  'py/demo.js.map',
  'py/indexed.sourcemap.map',
  'py/react-dom.min.map',
  'py/react-native-hermes.map',
  'py/react-native-metro.js.map',
  'py/traceback.min.map',
  'py/unicode.min.map',
  'sourcemapcache/preact.module.js.map',
  'sourcemapcache/inlining/module.js.map',
]
const bytesOf = (map: object): Uint8Array => new TextEncoder().encode(JSON.stringify(map))

function compare(bytes: Uint8Array, positions: Iterable<readonly [line: number, column: number]>): number {
  const ours = readSourceMap(bytes)
  const theirs = new AnyMap(new TextDecoder().decode(bytes))
  let found = 0
  for (const [line, column] of positions) {
    const expected = originalPositionFor(theirs, { line: line + 1, column })
    const position = ours.lookUp(line, column)
    const seen = position && [position.source.path, position.line + 1, position.column, position.name]
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

describe('maps of real builds', () => {
  for (const file of REAL)
    it(file, () => {
      const bytes = readFileSync(join(FOLDER, file))
      assert.ok(compare(bytes, grid(40, 20_000, 7)) > 0)
    })
})

const segment = fc.tuple(
  fc.nat(500),
  fc.option(fc.tuple(fc.nat(2), fc.nat(1000), fc.nat(1000), fc.option(fc.nat(3)))),
)
const mappings = fc.array(fc.array(segment, { maxLength: 12 }), { maxLength: 12 })

it('maps made at random, their lines in any order', () => {
  fc.assert(
    fc.property(mappings, (lines) => {
      const decoded = lines.map((line) =>
        line.map(([column, origin]): number[] =>
          origin === null
            ? [column]
            : ([column, ...origin.slice(0, 3), ...(origin[3] === null ? [] : [origin[3]])] as number[]),
        ),
      )
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
