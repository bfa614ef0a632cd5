/** A fat dSYM as clang, lld and dsymutil make it: its parts, their ids, their functions. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDebugFile, readMachOSymbols, SymbolError } from '../src/index.ts'
import { program } from './programs.ts'

const told = { name: 'shop.dSYM', debugId: undefined }
const fat = program('macho-fat.dsym')

describe('a fat Mach-O file', () => {
  const parts = readDebugFile(fat, told)
  it('has a part for each processor, each with its own id', () => {
    assert.deepEqual(
      parts.map(({ kind, cpu, features }) => [kind, cpu, features]),
      [
        ['macho', 'x86_64', ['symtab', 'debug']],
        ['macho', 'arm64', ['symtab', 'debug']],
      ],
    )
    assert.equal(new Set(parts.map(({ debugId }) => debugId)).size, 2)
    for (const { debugId, codeId } of parts) assert.equal(debugId.replaceAll('-', ''), codeId)
  })

  it('tells functions by their addresses, without the underscore of the compiler', () => {
    for (const { bytes } of parts) {
      const table = readMachOSymbols(bytes)
      const starts = ['checkout', 'total', 'shop_run'].map((name) => {
        for (let address = 0; address < 0x800; address++) {
          const [place] = table.lookUp(address)
          if (place?.function.includes(name)) return table.startOf(address)
        }
        return undefined
      })
      assert.ok(starts.every((start) => start !== undefined && start > 0))
      assert.equal(new Set(starts).size, 3)
      assert.deepEqual(table.lookUp(0), [], 'the header of the file is no function')
    }
  })

  it('is refused where it is cut, or has no UUID', () => {
    const [part] = parts
    assert.throws(() => readDebugFile(part!.bytes.subarray(0, 300), told), SymbolError)
    const nameless = Buffer.from(part!.bytes)
    for (let at = 32; at < 2_000; at += 4)
      if (nameless.readUInt32LE(at) === 0x1b && nameless.readUInt32LE(at + 4) === 24)
        nameless.writeUInt32LE(0x7f, at)
    assert.throws(() => readDebugFile(nameless, told), /no UUID/)
  })
})
