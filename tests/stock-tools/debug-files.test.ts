/** Symbols and mappings, uploaded by stock sentry-cli, give native and obfuscated frames their names. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Harness, openHarness } from './support/harness.ts'
import { framesOf, storedEvent } from './support/readable.ts'
import { mustRun, runTool } from './support/run-tool.ts'

const DEBUG_ID = 'c0bcc3f1-9827-fe65-3058-404b2831d9e6'
const SYMBOLS = `MODULE Linux x86_64 C0BCC3F19827FE653058404B2831D9E60 app
FILE 0 src/main.c
FUNC 1000 20 0 read_cart
1000 10 42 0
1010 10 43 0
`
const MAPPING = `com.example.Shop -> a.b:
    10:12:void pay():20:22 -> a
`

const PROGRAMS = join(import.meta.dirname, '..', '..', 'packages', 'symbols', 'test', 'programs')

describe('debug files', () => {
  let harness: Harness
  let folder: string
  before(async () => {
    harness = await openHarness('native')
    folder = mkdtempSync(join(tmpdir(), 'sonde-symbols-'))
    writeFileSync(join(folder, 'app.sym'), SYMBOLS)
    writeFileSync(join(folder, 'mapping.txt'), MAPPING)
    cpSync(join(PROGRAMS, 'gcc-dwarf5.so'), join(folder, 'libshop.so'))
    cpSync(join(PROGRAMS, 'macho-fat.dsym'), join(folder, 'shop.dsym'))
    writeFileSync(join(folder, 'broken.sym'), SYMBOLS.slice(0, 20))
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await harness?.close()
  })

  const options = () => ({ cwd: folder, env: harness.env })
  async function send(event: {
    readonly event_id: string
    readonly [field: string]: unknown
  }): Promise<void> {
    const { host, username, pathname } = new URL(harness.project.dsn)
    const url = `http://${host}/api${pathname}/store/?sentry_version=7&sentry_key=${username}`
    assert.equal((await fetch(url, { method: 'POST', body: JSON.stringify(event) })).status, 200)
  }
  const nativeEvent = (event_id: string) => ({
    event_id,
    platform: 'native',
    exception: {
      values: [
        { type: 'SIGSEGV', stacktrace: { frames: [{ instruction_addr: '0x501014', package: 'app' }] } },
      ],
    },
    debug_meta: {
      images: [
        { type: 'elf', debug_id: DEBUG_ID, image_addr: '0x500000', image_size: 65_536, code_file: 'app' },
      ],
    },
  })

  for (const [cli, id] of [
    ['sentry-cli 3', 'a'.repeat(32)],
    ['sentry-cli 2', 'b'.repeat(32)],
  ] as const)
    test(`${cli} uploads Breakpad symbols, and a frame has its function and line`, async () => {
      const said = await mustRun(cli, ['debug-files', 'upload', '--wait', 'app.sym'], options())
      assert.match(said, /Found 1 debug information file/)
      await send(nativeEvent(id))
      const [frame] = framesOf(await storedEvent(harness, id))
      assert.deepEqual([frame?.function, frame?.filename, frame?.lineNo], ['read_cart', 'main.c', 43])
    })

  test('sentry-cli uploads ELF and Mach-O files with DWARF, and a frame has its lines and inlined calls', async () => {
    const said = await mustRun(
      'sentry-cli 3',
      ['debug-files', 'upload', '--wait', 'libshop.so', 'shop.dsym'],
      options(),
    )
    assert.match(said, /Found 3 debug information files/)
    const files = await harness.api.until<
      readonly { debugId: string; objectName: string; cpuName: string }[]
    >(
      '/api/0/projects/acme/shop/files/dsyms/',
      (found) => found.filter(({ objectName }) => /shop/.test(objectName)).length >= 3,
    )
    const library = files.find(({ objectName }) => objectName === 'libshop.so')
    assert.deepEqual(new Set(files.map(({ cpuName }) => cpuName)), new Set(['x86_64', 'arm64']))
    const event_id = 'd'.repeat(32)
    await send({
      event_id,
      platform: 'native',
      exception: {
        values: [{ type: 'SIGSEGV', stacktrace: { frames: [{ instruction_addr: '0x500300' }] } }],
      },
      debug_meta: {
        images: [{ type: 'elf', debug_id: library?.debugId, image_addr: '0x500000', image_size: 65_536 }],
      },
    })
    assert.deepEqual(
      framesOf(await storedEvent(harness, event_id)).map((frame) => [
        frame.function,
        frame.filename,
        frame.lineNo,
      ]),
      [
        ['shop::total(shop::Item const*, int)', 'shop.cpp', 7],
        ['shop::price_of(shop::Item const&)', 'price.h', 14],
        ['shop::read_from<int>(int const volatile*)', 'price.h', 10],
      ],
    )
  })

  test('sentry-cli uploads a ProGuard mapping, and class, method and line are those of the source', async () => {
    const said = await mustRun('sentry-cli 3', ['upload-proguard', 'mapping.txt'], options())
    const [uuid] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(said) ?? []
    assert.ok(uuid, said)
    const event_id = 'c'.repeat(32)
    const frames = [{ module: 'a.b', function: 'a', lineno: 11 }]
    await send({
      event_id,
      platform: 'java',
      exception: { values: [{ type: 'b', module: 'a', value: 'declined', stacktrace: { frames } }] },
      debug_meta: { images: [{ type: 'proguard', uuid }] },
    })
    const event = await storedEvent(harness, event_id)
    const [frame] = framesOf(event)
    assert.deepEqual([frame?.function, frame?.filename, frame?.lineNo], ['pay', 'Shop.java', 21])
    assert.equal(event.title, 'Shop: declined')
  })

  test('a file that is none is not taken', async () => {
    const { output } = await runTool('sentry-cli 3', ['debug-files', 'upload', 'broken.sym'], options())
    assert.match(output, /Found 0 debug information files|No debug information files|error/i)
    const files = await harness.api.until<readonly { objectName: string }[]>(
      '/api/0/projects/acme/shop/files/dsyms/',
      (found) => found.length >= 2,
    )
    assert.ok(files.every(({ objectName }) => objectName !== 'broken.sym'))
  })
})
