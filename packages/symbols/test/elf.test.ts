/** Shared libraries of gcc and clang: ids, functions, and files that would keep a reader busy for hours. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDebugFile, readElfSymbols, SymbolError } from '../src/index.ts'
import { program } from './programs.ts'

const told = { name: 'shop.so', debugId: undefined }

describe('an ELF file', () => {
  it('has the id of its build, and says what it holds', () => {
    const [file] = readDebugFile(program('gcc-dwarf5.so'), told)
    assert.deepEqual([file?.kind, file?.cpu, file?.features], ['elf', 'x86_64', ['symtab', 'debug']])
    assert.match(file?.codeId ?? '', /^[0-9a-f]{40}$/)
    assert.equal(readDebugFile(program('clang-arm64.so'), told)[0]?.cpu, 'arm64')
  })

  it('tells functions by their addresses', () => {
    const table = readElfSymbols(program('gcc-dwarf5.so'))
    const names = new Set<string>()
    for (let address = 0; address < 0x2000; address++)
      for (const { function: name } of table.lookUp(address)) names.add(name)
    for (const name of ['_ZN4shop5totalEPKNS_4ItemEi', '_ZNK4shop4Cart8checkoutEv', 'shop_run'])
      assert.ok(names.has(name), name)
  })

  it('is read in a moment however often its tables point at the same bytes', () => {
    const [sections, entries] = [60_000, 200_000]
    const file = Buffer.alloc(64 + sections * 64 + entries * 24)
    file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
    file.writeUInt16LE(62, 18)
    file.writeBigUInt64LE(64n, 40)
    file.writeUInt16LE(64, 58)
    file.writeUInt16LE(sections, 60)
    for (let at = 0; at < sections; at++) {
      const entry = 64 + at * 64
      file.writeUInt32LE(at % 2 === 0 ? 2 : 7, entry + 4)
      file.writeBigUInt64LE(BigInt(64 + sections * 64), entry + 24)
      file.writeBigUInt64LE(BigInt(entries * 24), entry + 32)
    }
    const startedMs = performance.now()
    assert.throws(() => readElfSymbols(file), SymbolError)
    assert.ok(performance.now() - startedMs < 20_000)
  })
})
