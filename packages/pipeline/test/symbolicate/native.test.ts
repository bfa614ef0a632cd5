/** Native frames of ordinary events are read with Breakpad files, Java's with ProGuard mappings; late ones repair stored events. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { readDebugFile } from '@sonde/symbols'
import { debugIdColumn } from '../../src/stages/encode.ts'
import { withRawStacks } from '../../src/symbolicate/reprocess-event.ts'
import { eventOf, type FileHarness, framesOf, openFileHarness } from '../maps/file-harness.ts'

const ID = 'c0bcc3f1-9827-fe65-3058-404b2831d9e6'
const UUID = '11111111-2222-4333-8444-555555555555'
const SYM = `MODULE Linux x86_64 C0BCC3F19827FE653058404B2831D9E60 libshop.so
FILE 0 /src/cart.cpp
INLINE_ORIGIN 0 Item::price()
FUNC 1000 40 0 Cart::total()
INLINE 0 12 0 0 1010 10
1000 10 10 0
1010 10 30 0
1020 20 13 0
`
const MAPPING = `com.shop.Cart -> a.b:
    1:3:void add(int):10:12 -> a
com.shop.EmptyCartException -> a.c:
`
/** A 64-bit ELF file of one function: header, `.symtab`, `.strtab`. */
function tinyElf(name: string, address: number, size: number): Buffer {
  const names = Buffer.from(`\0${name}\0`)
  const file = Buffer.alloc(64 + 48 + 64 + 192)
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  file.writeUInt16LE(62, 18)
  file.writeBigUInt64LE(176n, 40)
  file.writeUInt16LE(64, 58)
  file.writeUInt16LE(3, 60)
  file.writeUInt32LE(1, 64 + 24)
  file[64 + 24 + 4] = 2
  file.writeBigUInt64LE(BigInt(address), 64 + 24 + 8)
  file.writeBigUInt64LE(BigInt(size), 64 + 24 + 16)
  file.set(names, 112)
  const section = (at: number, type: number, offset: number, bytes: number, link: number): void => {
    file.writeUInt32LE(type, 176 + at * 64 + 4)
    file.writeBigUInt64LE(BigInt(offset), 176 + at * 64 + 24)
    file.writeBigUInt64LE(BigInt(bytes), 176 + at * 64 + 32)
    file.writeUInt32LE(link, 176 + at * 64 + 40)
  }
  section(1, 2, 64, 48, 2)
  section(2, 3, 112, names.length, 0)
  return file
}
const native = (more: object = {}) =>
  eventOf(
    [
      { instruction_addr: '0x7f0000001021', in_app: true },
      { instruction_addr: '0x7f0000001014', in_app: true },
    ],
    {
      platform: 'native',
      debug_meta: {
        images: [
          {
            type: 'elf',
            debug_id: ID,
            code_file: '/app/libshop.so',
            image_addr: '0x7f0000000000',
            image_size: 65536,
          },
        ],
      },
      ...more,
    },
  )
const java = () =>
  eventOf([{ module: 'a.b', function: 'a', lineno: 2, in_app: true }], {
    platform: 'java',
    exception: [
      {
        type: 'c',
        module: 'a',
        value: 'empty',
        stacktrace: { frames: [{ module: 'a.b', function: 'a', lineno: 2, in_app: true }] },
      },
    ],
    debug_meta: { images: [{ type: 'proguard', uuid: UUID }] },
  })

describe('native and obfuscated frames', () => {
  let harness: FileHarness
  before(async () => {
    harness = await openFileHarness()
  })
  after(() => harness.close())

  it('say what to upload while it is missing, and which ids they need', async () => {
    const event = await harness.symbolicate(native())
    assert.equal(framesOf(event)[0]?.problem?.reason, 'no_debug_file')
    assert.match(framesOf(event)[0]?.problem?.detail ?? '', new RegExp(`upload libshop.so, debug id ${ID}`))
    assert.deepEqual(debugIdColumn(event), [ID])
    const obfuscated = await harness.symbolicate(java())
    assert.match(framesOf(obfuscated)[0]?.problem?.detail ?? '', new RegExp(UUID))
    assert.deepEqual(debugIdColumn(obfuscated), [UUID])
  })

  it('are read once the file is there, inlined calls too, and go back to what came', async () => {
    const unread = await harness.symbolicate(native())
    await harness.upload([{ type: 'breakpad', url: 'libshop.so.sym', content: SYM, debugId: ID }])
    const event = await harness.symbolicate(withRawStacks(unread))
    assert.deepEqual(
      framesOf(event).map((f) => [f.function, f.filename, f.lineno, f.data?.['inlined'] ?? false]),
      [
        ['Cart::total()', 'cart.cpp', 13, false],
        ['Cart::total()', 'cart.cpp', 12, false],
        ['Item::price()', 'cart.cpp', 30, true],
      ],
    )
    assert.deepEqual(framesOf(event)[0]?.symbol_addr, '0x7f0000001000')
    assert.deepEqual(debugIdColumn(event), [ID])
    assert.deepEqual(framesOf(withRawStacks(event)), framesOf(native()))
  })

  it('are retraced, and the class of the exception is named', async () => {
    const unread = await harness.symbolicate(java())
    await harness.upload([
      { type: 'proguard', url: `/proguard/${UUID}.txt`, content: MAPPING, debugId: UUID },
    ])
    const event = await harness.symbolicate(withRawStacks(unread))
    const [frame] = framesOf(event)
    assert.deepEqual([frame?.module, frame?.function, frame?.lineno], ['com.shop.Cart', 'add', 11])
    assert.deepEqual(
      [event.exception?.[0]?.module, event.exception?.[0]?.type],
      ['com.shop', 'EmptyCartException'],
    )
    assert.match(event.derived.title, /^EmptyCartException: empty/)
    assert.deepEqual(withRawStacks(event).exception, java().exception)
  })

  it('say what is wrong with a debug file', async () => {
    const problemOf = async (content: string, at: string) => {
      const debugId = `c0bcc3f1-9827-fe65-3058-${String(++count).padStart(12, '0')}`
      await harness.upload([{ type: 'elf', url: 'libother.so', content, debugId }])
      const image = { type: 'elf', debug_id: debugId, image_addr: '0x1000', image_size: 65536 }
      const event = eventOf([{ instruction_addr: at, in_app: true }], {
        platform: 'native',
        debug_meta: { images: [image] },
      })
      return framesOf(await harness.symbolicate(event))[0]
    }
    let count = 0
    assert.equal((await problemOf('\x7fELF', '0x2000'))?.problem?.reason, 'broken_debug_file')
    assert.equal((await problemOf(SYM, '0x9000'))?.problem?.reason, 'no_symbol')
    const program = await readFile(process.execPath)
    const [file] = readDebugFile(program, { name: 'node', debugId: undefined })
    assert.equal(file?.kind, 'elf')
  })

  it('tell the function alone where a file has a symbol table and no lines', async () => {
    const debugId = 'aaaaaaaa-9827-fe65-3058-404b2831d9e6'
    await harness.upload([
      { type: 'elf', url: 'tiny.so', content: tinyElf('_ZN4shop5crashEi', 0x1100, 0x20), debugId },
    ])
    const image = {
      type: 'elf',
      debug_id: debugId,
      code_file: 'tiny.so',
      image_addr: '0x400000',
      image_size: 65536,
    }
    const event = eventOf([{ instruction_addr: '0x401104', in_app: true }], {
      platform: 'native',
      debug_meta: { images: [image] },
    })
    const [frame] = framesOf(await harness.symbolicate(event))
    assert.deepEqual(
      [frame?.function, frame?.raw_function, frame?.problem?.reason],
      ['shop::crash(int)', '_ZN4shop5crashEi', 'no_lines'],
    )
  })

  it('never mistake a debug file for a source map', async () => {
    const event = await harness.symbolicate(native())
    assert.ok(framesOf(event).every(({ problem }) => problem === undefined))
  })
})
