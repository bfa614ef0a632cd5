/** Debug files and mappings: whatever the bytes are, they are refused by name or can be asked, within bounds of time and memory. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDebugFile, readDebugId, SymbolError } from '@sonde/symbols'
import { loadDebugFile } from '../../../packages/pipeline/src/maps/load-debug-file.ts'
import type { Target } from '../engine/target.ts'
import { mutateBinary } from '../mutators/binary.ts'

const PROGRAMS = join(import.meta.dirname, '..', '..', '..', 'packages', 'symbols', 'test', 'programs')
const program = (name: string): Buffer => readFileSync(join(PROGRAMS, name))

const ADDRESSES = [0, 1, 0x240, 0x1010, 0x1040, 0x1044, 0x2015, 2 ** 31, 2 ** 32 + 7, Number.MAX_SAFE_INTEGER]
const MAX_PLACES = 200
/** For one byte of a file. */
const BYTES_EACH = 400

function run(input: Buffer): void {
  const told = { name: 'mapping.txt', debugId: '5b65abfb-2338-4f0b-b3b9-64c8f734d43f' }
  try {
    for (const file of readDebugFile(input, told)) {
      assert.equal(readDebugId(file.debugId), file.debugId, 'an id has another form than it is looked for by')
      ask(file.bytes)
    }
  } catch (error) {
    if (!(error instanceof SymbolError)) throw error
    assert.ok(error.message.length < 300, 'the refusal is too long to be shown')
  }
  ask(input)
}

/** As worker threads do. */
function ask(bytes: Uint8Array): void {
  const { value, bytes: size } = loadDebugFile(bytes)
  assert.ok(Number.isFinite(size) && size >= 0, `it takes ${size} bytes`)
  assert.ok(size <= 2 ** 20 + bytes.length * BYTES_EACH, `${bytes.length} bytes take ${size} in memory`)
  if (!value.ok) {
    assert.notEqual(value.detail, 'it cannot be read', 'a reader failed in words that are not its own')
    return
  }
  if (value.kind === 'symbols')
    for (const address of ADDRESSES) {
      const places = value.table.lookUp(address)
      assert.ok(places.length <= MAX_PLACES, `${places.length} functions at one address`)
      for (const { function: name, line } of places)
        assert.ok(
          typeof name === 'string' && (line === undefined || (Number.isSafeInteger(line) && line > 0)),
        )
      const start = value.table.startOf(address)
      assert.ok(
        start === undefined || (start >= 0 && start <= address),
        `${start} is the start of ${address}`,
      )
    }
  if (value.kind === 'mapping') {
    value.mapping.className('a.b')
    for (const [module, method] of [
      ['a.b', 'a'],
      ['__proto__', 'constructor'],
      ['a.c', ''],
    ] as const)
      for (const line of [undefined, 0, 1, 4, 2 ** 31])
        assert.ok(value.mapping.retrace(module, method, line).length <= MAX_PLACES)
  }
}

export const elf: Target = {
  name: 'elf',
  seeds: () => ['gcc-dwarf2.so', 'gcc-dwarf5.so', 'gcc-zlib.so', 'clang-arm64.so'].map(program),
  mutate: mutateBinary,
  words: ['\x7fELF', '.symtab', '.debug_line', '.debug_info', 'GNU\0'],
  open: () => ({ run }),
}

export const macho: Target = {
  name: 'macho',
  seeds: () => {
    const fat = program('macho-fat.dsym')
    return [
      fat,
      ...readDebugFile(fat, { name: '', debugId: undefined }).map(({ bytes }) => Buffer.from(bytes)),
    ]
  },
  mutate: mutateBinary,
  words: ['\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe', '__DWARF', '__debug_line'],
  open: () => ({ run }),
}

const BREAKPAD = `MODULE Linux x86_64 C0BCC3F19827FE653058404B2831D9E60 app
INFO CODE_ID F1C3BCC0279865FE3058404B2831D9E64135386C
FILE 0 /src/main.cpp
INLINE_ORIGIN 0 Cart::total()
FUNC 1000 60 0 main
INLINE 0 12 0 0 1010 10
1000 10 10 0
1010 40 30 0
FUNC m 2000 10 8 operator new(unsigned long)
2000 10 5 0
PUBLIC 3000 0 exported
STACK CFI INIT 1000 40 .cfa: $rsp 8 +
`

export const breakpad: Target = {
  name: 'breakpad',
  seeds: () => [Buffer.from(BREAKPAD)],
  words: [
    'FUNC ',
    'FUNC m ',
    'PUBLIC ',
    'INLINE 63 1 0 0 1010 1',
    'INLINE_ORIGIN ',
    'FILE ',
    'MODULE ',
    '\n',
    ' ffffffffffffff ',
  ],
  open: () => ({ run }),
}

const PROGUARD = `# compiler: R8
com.shop.Cart -> a.b:
# {"id":"sourceFile","fileName":"Cart.kt"}
    int count -> a
    1:3:void add(com.shop.Item):10:12 -> a
    4:4:int com.shop.Item.price():40:40 -> a
    4:4:void add(com.shop.Item):14 -> a
com.shop.MainActivity$onCreate$1 -> a.c:
    1:1:void invoke():22:22 -> a
`

export const mapping: Target = {
  name: 'mapping',
  seeds: () => [Buffer.from(PROGUARD), Buffer.from(JSON.stringify(['CartException', 'aB', 'Item', 'cD']))],
  words: [' -> ', ':\n', '    4:4:', '():', '# {"id":"sourceFile","fileName":"', '["', '","', '__proto__'],
  open: () => ({ run }),
}
