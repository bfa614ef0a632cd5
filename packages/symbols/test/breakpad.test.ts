/** Symbol files as dump_syms writes them, and what is no symbol file. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBreakpad, readDebugFile, readDebugId, SymbolError } from '../src/index.ts'

const SYM = `MODULE Linux x86_64 C0BCC3F19827FE653058404B2831D9E60 app
INFO CODE_ID F1C3BCC0279865FE3058404B2831D9E64135386C
FILE 0 /src/main.cpp
FILE 1 /src/cart.h
INLINE_ORIGIN 0 Cart::total()
INLINE_ORIGIN 1 Item::price() const
FUNC 1000 40 0 main
INLINE 0 12 0 0 1010 10
INLINE 1 7 1 1 1014 4
1000 10 10 0
1010 4 20 1
1014 4 30 1
1018 8 21 1
1020 20 13 0
FUNC m 2000 10 8 operator new(unsigned long, std::nothrow_t const&)
2000 10 5 0
PUBLIC 3000 0 exported
PUBLIC m 3100 0 another
STACK CFI INIT 1000 40 .cfa: $rsp 8 +
`
const table = readBreakpad(Buffer.from(SYM))
const at = (address: number) => table.lookUp(address).map((p) => `${p.function} ${p.file}:${p.line}`)

describe('a Breakpad symbol file', () => {
  it('tells function, file and line of an address', () => {
    assert.deepEqual(at(0x1008), ['main /src/main.cpp:10'])
    assert.deepEqual(at(0x103f), ['main /src/main.cpp:13'])
    assert.equal(table.startOf(0x1008), 0x1000)
  })
  it('tells inlined calls, the innermost first, each at the line of its call', () => {
    assert.deepEqual(at(0x1015), [
      'Item::price() const /src/cart.h:30',
      'Cart::total() /src/cart.h:7',
      'main /src/main.cpp:12',
    ])
    assert.deepEqual(at(0x1011), ['Cart::total() /src/cart.h:20', 'main /src/main.cpp:12'])
  })
  it('keeps spaces in names, and knows the mark of shared addresses', () => {
    assert.deepEqual(at(0x2004), ['operator new(unsigned long, std::nothrow_t const&) /src/main.cpp:5'])
    assert.deepEqual(at(0x3010), ['exported undefined:undefined'])
    assert.deepEqual(at(0x3100), ['another undefined:undefined'])
  })
  it('knows nothing between functions and before the first', () => {
    assert.deepEqual(at(0x1040), [])
    assert.deepEqual(at(0x10), [])
  })
  it('is known by its first lines', () => {
    const [file] = readDebugFile(Buffer.from(SYM), { name: 'app.sym', debugId: undefined })
    assert.equal(file?.kind, 'breakpad')
    assert.equal(file.debugId, 'c0bcc3f1-9827-fe65-3058-404b2831d9e6')
    assert.equal(file.codeId, 'f1c3bcc0279865fe3058404b2831d9e64135386c')
    assert.equal(file.cpu, 'x86_64')
  })
  it('leaves out lines that are none, however they are broken', () => {
    const broken = `${SYM}FUNC zz 1 1\nFUNC\nINLINE 99999 1 1 1 1 1\nINLINE\nPUBLIC\nFILE\n1 2 3\nfffffffffffffffff 1 1 1\n`
    assert.doesNotThrow(() => readBreakpad(Buffer.from(broken)).lookUp(0x1000))
    assert.throws(() => readBreakpad(Buffer.from('no module')), SymbolError)
  })
})

describe('debug ids', () => {
  it('have one form, with the age behind where it is not 0', () => {
    assert.equal(readDebugId('C0BCC3F19827FE653058404B2831D9E60'), 'c0bcc3f1-9827-fe65-3058-404b2831d9e6')
    assert.equal(
      readDebugId('3249d99d-0c40-4931-8610-f4e4fb0b6936-1'),
      '3249d99d-0c40-4931-8610-f4e4fb0b6936-1',
    )
    assert.equal(readDebugId('3249D99D0C4049318610F4E4FB0B6936a'), '3249d99d-0c40-4931-8610-f4e4fb0b6936-a')
    assert.equal(readDebugId('x'), undefined)
  })
})
