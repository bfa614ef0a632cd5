/** Line tables and inlined calls of every version of DWARF, as gcc, clang and dsymutil write them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  demangle,
  readDebugFile,
  readElfSymbols,
  readMachOSymbols,
  SymbolError,
  type SymbolTable,
} from '../src/index.ts'
import { program } from './programs.ts'

/** Where `sum += price_of(items[at])` runs: three functions deep. */
function deepest(table: SymbolTable): readonly string[] {
  let found: readonly string[] = []
  for (let address = 0; address < 0x12000; address++) {
    const places = table.lookUp(address)
    if (places.length > found.length)
      found = places.map((place) => `${demangle(place.function)} ${place.file}:${place.line}`)
  }
  return found
}

function linesOf(table: SymbolTable, name: string): readonly (number | undefined)[] {
  const lines = new Set<number | undefined>()
  for (let address = 0; address < 0x12000; address++) {
    const place = table.lookUp(address).at(-1)
    if (place && demangle(place.function).includes(name)) lines.add(place.line)
  }
  return [...lines]
}

const INLINED = [
  'shop::read_from<int>(int const volatile*) /src/price.h:10',
  'shop::price_of(shop::Item const&) /src/price.h:14',
  'shop::total(shop::Item const*, int) /src/shop.cpp:7',
]

describe('DWARF', () => {
  for (const name of [
    'gcc-dwarf2.so',
    'gcc-dwarf3.so',
    'gcc-dwarf4.so',
    'gcc-dwarf5.so',
    'gcc-zlib.so',
    'clang-arm64.so',
  ])
    it(`of ${name} tells file, line and inlined calls, the innermost first`, () => {
      const table = readElfSymbols(program(name))
      assert.equal(table.lacksLines, undefined)
      assert.deepEqual(deepest(table), INLINED)
      assert.ok(linesOf(table, 'checkout').includes(20))
      assert.ok(linesOf(table, 'shop_run').includes(26))
    })

  it('of both parts of a dSYM tells the same', () => {
    const parts = readDebugFile(program('macho-fat.dsym'), { name: '', debugId: undefined })
    const tables = parts.map(({ bytes }) => readMachOSymbols(bytes))
    assert.ok(tables.every(({ lacksLines }) => lacksLines === undefined))
    assert.deepEqual(deepest(tables[1]!), INLINED)
    for (const table of tables)
      for (const [name, line] of [
        ['total', 7],
        ['checkout', 20],
        ['shop_run', 26],
      ] as const)
        assert.ok(linesOf(table, name).includes(line), `${name}: ${linesOf(table, name).join(', ')}`)
  })

  it('agrees with itself in every version', () => {
    const [first, ...others] = [2, 3, 4, 5].map((version) => {
      const table = readElfSymbols(program(`gcc-dwarf${version}.so`))
      return ['total', 'checkout', 'shop_run'].map((name) => linesOf(table, name))
    })
    for (const other of others) assert.deepEqual(other, first)
  })

  it('that is broken leaves functions, and says that lines are lacking', () => {
    const file = program('gcc-zlib.so')
    let broken = 0
    for (let at = file.indexOf(0x78); at !== -1; at = file.indexOf(0x78, at + 1)) {
      const copy = Buffer.from(file)
      copy.fill(0xff, at, at + 8)
      try {
        const { lacksLines, lookUp } = readElfSymbols(copy)
        if (lacksLines?.includes('cannot be unpacked') !== true) continue
        broken++
        const functions = Array.from({ length: 0x1000 }, (_, address) => lookUp(address)).flat()
        assert.ok(functions.length > 0 && functions.every(({ line }) => line === undefined))
      } catch (error) {
        // Then another table of the file was hit.
        assert.ok(error instanceof SymbolError)
      }
    }
    assert.ok(broken > 0)
  })
})
