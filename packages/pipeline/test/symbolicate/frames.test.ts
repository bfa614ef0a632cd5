/** What a frame becomes once its script and map are there. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import vm from 'node:vm'
import { debugIdColumn, unreadableColumn } from '../../src/stages/encode.ts'
import { isSourceInApp } from '../../src/symbolicate/read-position.ts'
import { withRawStacks } from '../../src/symbolicate/reprocess-event.ts'
import { buildApp, placeOfText } from '../maps/built-app.ts'
import {
  debugId,
  eventOf,
  type FileHarness,
  framesOf,
  imageOf,
  openFileHarness,
} from '../maps/file-harness.ts'
import type { UploadedFile } from '../maps/upload.ts'

const URL = 'https://shop.test/assets/app.js'
const json = JSON.stringify
let harness: FileHarness

const script = (id: string, content: string): UploadedFile => ({
  type: 'minified_source',
  url: '~/assets/app.js',
  content,
  debugId: id,
})
const map = (id: string, content: string): UploadedFile => ({
  type: 'source_map',
  url: '~/assets/app.js.map',
  content,
  debugId: id,
})

/** As `new Error().stack` of V8 says them, the oldest call first. */
function v8Frames(error: unknown) {
  const lines = (error as Error).stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return lines
    .map((line) => /^\s+at (?:(.*?) \()?(.*?):(\d+):(\d+)\)?$/.exec(line))
    .filter((match) => match !== null)
    .map(([, fn, file, line, column]) => ({
      ...(fn !== undefined && { function: fn }),
      filename: file,
      lineno: Number(line),
      colno: Number(column),
    }))
    .toReversed()
}

/** Line 1: `src/a.ts` line 1 up to column 9, `src/b.ts` line 2 from column 10; line 2: all of `src/a.ts` line 3. */
const PLAIN = {
  version: 3,
  sources: ['../src/a.ts', 'webpack://shop/./node_modules/b/index.js'],
  sourcesContent: ['a1\na2\na3\na4\na5\na6\na7\na8\na9', 'b1\nb2'],
  names: ['called'],
  mappings: 'AAAAA,UCCAA;ADCA',
}

describe('frames', () => {
  before(async () => {
    harness = await openFileHarness()
  })

  after(() => harness.close())

  describe('a stack of minified code that ran', () => {
    it('names functions, lines and columns of the source, through await too', async () => {
      const source = `
const sleep = () => new Promise((resolve) => setImmediate(resolve))
class Cart {
  async load(id) {
    await sleep()
    return this.parse(id)
  }
  parse(id) {
    throw new TypeError('no cart ' + id)
  }
}
async function openCheckout(id) {
  const cart = new Cart()
  return await cart.load(id)
}
globalThis.__run = async function runAll(id) {
  const done = await openCheckout(id)
  return done + 1
}
`
      const file = '/srv/app/dist/server.js'
      const { code, map: text } = await buildApp({ 'src/server.js': source }, 'cjs')
      assert.ok(!code.includes('openCheckout'))
      vm.runInThisContext(code, { filename: file })
      const { __run: run } = globalThis as unknown as { __run: (id: string) => Promise<unknown> }
      const error: unknown = await run('c1').catch((reason: unknown) => reason)
      const frames = v8Frames(error).filter(({ filename }) => filename === file)
      assert.ok(frames.some((frame) => frame.function?.startsWith('async ')))
      await harness.upload(
        [
          {
            type: 'minified_source',
            url: '~/srv/app/dist/server.js',
            content: code,
            mapRef: 'server.js.map',
          },
          { type: 'source_map', url: '~/srv/app/dist/server.js.map', content: text },
        ],
        { release: 'node-1' },
      )
      const event = eventOf(frames, { platform: 'node', release: 'node-1' })
      const read = framesOf(await harness.symbolicate(event))
      assert.deepEqual(
        read.map((frame) => [frame.function, frame.filename, frame.lineno, frame.context_line?.trim()]),
        [
          ['runAll', 'src/server.js', 17, 'const done = await openCheckout(id)'],
          ['openCheckout', 'src/server.js', 14, 'return await cart.load(id)'],
          ['load', 'src/server.js', 6, 'return this.parse(id)'],
          ['parse', 'src/server.js', 9, "throw new TypeError('no cart ' + id)"],
        ],
      )
      assert.deepEqual(
        read.map((frame) => frame.colno),
        [22, 10, 17, 15],
      )
    })

    it('is read from files that real tools wrote', async () => {
      const folder = join(import.meta.dirname, '../../../../fixtures/source-maps/symbolic')
      const texts = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as Record<string, string>
      const code = texts['py/traceback.min.js'] ?? ''
      const url = 'https://shop.test/static/traceback.min.js'
      const context = vm.createContext({})
      vm.runInContext(code, context, { filename: url })
      const thrown = await new Promise((_, reject) => {
        vm.runInContext('makeAFailure()', context, { filename: 'page' })
        reject(new Error('it did not throw'))
      }).catch((error: unknown) => error)
      const frames = v8Frames(thrown).filter(({ filename }) => filename === url)
      const content = readFileSync(join(folder, 'py/traceback.min.map'), 'utf8')
      await harness.upload(
        [
          { type: 'minified_source', url: '~/static/traceback.min.js', content: code, mapRef: 't.map' },
          { type: 'source_map', url: '~/static/t.map', content },
        ],
        { release: 'tb-1' },
      )
      const read = framesOf(await harness.symbolicate(eventOf(frames, { release: 'tb-1' })))
      assert.deepEqual(
        read.map((frame) => [frame.lineno, frame.context_line?.trim()]),
        [
          [20, 'invoke(data);'],
          [15, 'cb(data);'],
          [5, "throw new Error('failed!');"],
        ],
      )
    })

    it('is read with sources that were uploaded by themselves, names too', async () => {
      const source = 'function failHere(cart) { return cart.items.length }\n'
      const code = 'function e(n){return n.items.length}'
      // The function and its name; the rest of the line follows the name.
      const bare = { version: 3, sources: ['../src/fail.js'], names: [], mappings: 'AAAA,SAAS' }
      const files: UploadedFile[] = [
        { type: 'minified_source', url: '~/assets/app.js', content: code, mapRef: 'app.js.map' },
        { type: 'source_map', url: '~/assets/app.js.map', content: json(bare) },
      ]
      const event = (release: string) =>
        eventOf([{ filename: URL, function: 'e', ...placeOfText(code, 'n.items') }], { release })
      await harness.upload(files, { release: 'own-1' })
      await harness.upload([...files, { type: 'source', url: '~/src/fail.js', content: source }], {
        release: 'own-2',
      })
      const [alone] = framesOf(await harness.symbolicate(event('own-1')))
      const [whole] = framesOf(await harness.symbolicate(event('own-2')))
      assert.deepEqual([alone?.lineno, alone?.problem?.reason, alone?.function], [1, 'no_source', 'e'])
      assert.deepEqual(
        [whole?.lineno, whole?.problem, whole?.function, whole?.context_line],
        [1, undefined, 'failHere', source.trim()],
      )
    })
  })

  describe('a frame', () => {
    it('has five lines on each side, its place from 1, and keeps what was not of the script', async () => {
      const id = debugId('1')
      await harness.upload([map(id, json(PLAIN))])
      const vars = { total: 3 }
      const frame = { filename: URL, function: 'tt', lineno: 2, colno: 5, in_app: true, vars, module: 'app' }
      const event = eventOf([frame], imageOf(URL, id))
      const symbolicated = await harness.symbolicate(event)
      const [read] = framesOf(symbolicated)
      assert.deepEqual(read, {
        filename: 'src/a.ts',
        abs_path: 'https://shop.test/src/a.ts',
        lineno: 3,
        colno: 1,
        pre_context: ['a1', 'a2'],
        context_line: 'a3',
        post_context: ['a4', 'a5', 'a6', 'a7', 'a8'],
        in_app: true,
        vars,
        data: { sourcemap: '~/assets/app.js.map', symbolicated: true },
      })
      assert.deepEqual(symbolicated.exception?.[0]?.raw_stacktrace, event.exception?.[0]?.stacktrace)
      assert.equal(symbolicated.derived.culprit, '?(src/a.ts)')
      assert.deepEqual([debugIdColumn(symbolicated), unreadableColumn(symbolicated)], [[id], ''])
      assert.deepEqual(withRawStacks(symbolicated), event)
    })

    it('without column is read where its whole line comes from one line', async () => {
      const id = debugId('2')
      await harness.upload([map(id, json(PLAIN))])
      const frames = [1, 2].map((lineno) => ({ filename: URL, lineno }))
      const read = framesOf(await harness.symbolicate(eventOf(frames, imageOf(URL, id))))
      assert.deepEqual(
        read.map((frame) => [frame.problem?.reason, frame.context_line]),
        [
          ['no_position', undefined],
          [undefined, 'a3'],
        ],
      )
    })

    it('is in the application by the path of its source, whatever the SDK said of the script', async () => {
      const id = debugId('3')
      await harness.upload([map(id, json({ ...PLAIN, ignoreList: [0] }))])
      const frames = [4, 12].map((colno) => ({ filename: URL, lineno: 1, colno, in_app: true }))
      const symbolicated = await harness.symbolicate(eventOf(frames, imageOf(URL, id)))
      assert.deepEqual(
        framesOf(symbolicated).map((frame) => [frame.in_app, frame.filename]),
        [
          [false, 'src/a.ts'],
          [false, 'node_modules/b/index.js'],
        ],
      )
    })

    it('of a map without script is called as its caller calls it, or keeps a name that no minifier made', async () => {
      const id = debugId('4')
      await harness.upload([map(id, json(PLAIN))])
      const at = { filename: URL, lineno: 1, colno: 2 }
      const frames = [
        { ...at, function: 'handleClick' },
        { ...at, function: 't', colno: 12 },
        { ...at, function: 'async e', lineno: 2 },
        { ...at, function: 'n' },
      ]
      const read = framesOf(await harness.symbolicate(eventOf(frames, imageOf(URL, id))))
      assert.deepEqual(
        read.map((frame) => frame.function),
        ['handleClick', 'called', 'called', undefined],
      )
    })

    it('of a thread is led back too, and an SDK that did it itself is believed', async () => {
      const id = debugId('5')
      await harness.upload([map(id, json(PLAIN))])
      const stack = { frames: [{ filename: URL, lineno: 2, colno: 1 }] }
      const own = { frames: [{ filename: 'src/own.ts', lineno: 1, colno: 1, data: { symbolicated: true } }] }
      const event = eventOf([], {
        ...imageOf(URL, id),
        exception: [{ type: 'E', value: 'v', stacktrace: own, raw_stacktrace: stack }],
        threads: [{ id: '1', crashed: true, stacktrace: stack }],
      })
      const symbolicated = await harness.symbolicate(event)
      assert.equal(symbolicated.threads?.[0]?.stacktrace?.frames[0]?.filename, 'src/a.ts')
      assert.equal(symbolicated.threads?.[0]?.raw_stacktrace?.frames[0]?.filename, '/assets/app.js')
      assert.equal(framesOf(symbolicated)[0]?.filename, 'src/own.ts')
      const restored = withRawStacks(symbolicated)
      assert.deepEqual(restored.threads, event.threads)
      assert.equal(restored.exception?.[0]?.stacktrace?.frames[0]?.filename, 'src/own.ts')
    })

    it('is left alone where nobody can upload anything for it', async () => {
      const page = 'https://shop.test/cart?step=2'
      const readable = {
        filename: '/srv/app/server.js',
        lineno: 3,
        colno: 5,
        context_line: 'throw new Error()',
      }
      const frames = [
        { filename: 'https://shop.test/cart', lineno: 8, colno: 2 },
        { filename: 'chrome-extension://abc/content.js', lineno: 1, colno: 2 },
        { filename: 'node:internal/timers', lineno: 1, colno: 2 },
        { filename: '<anonymous>', lineno: 1, colno: 2 },
        { filename: 'https://www.googletagmanager.com/gtm.js', lineno: 1, colno: 2, in_app: true },
        { ...readable, in_app: true },
        { ...readable, platform: 'python' },
        { filename: URL, colno: 2 },
      ]
      const event = eventOf(frames, { request: { url: page }, release: 'nothing-there' })
      const symbolicated = await harness.symbolicate(event)
      assert.equal(symbolicated, event)
      assert.equal(unreadableColumn(symbolicated), '')
    })

    it('of a map within its script is read', async () => {
      const inline = `data:application/json;charset=utf-8;base64,${Buffer.from(json(PLAIN)).toString('base64')}`
      const code = `0\n1234567890\n//# sourceMappingURL=${inline}\n`
      const file = { ...script('', code), mapRef: 'data:application/json' }
      await harness.upload([file], { release: 'inline-1' })
      const event = eventOf([{ filename: `${URL}?v=2`, lineno: 2, colno: 5 }], { release: 'inline-1' })
      assert.equal(framesOf(await harness.symbolicate(event))[0]?.context_line, 'a3')
    })
  })

  describe('a source', () => {
    const of = (path: string | null) =>
      isSourceInApp({ path, content: null, isIgnored: false }, path ?? undefined)

    it('is a tool’s or a library’s by its path', () => {
      for (const path of [
        'webpack://shop/webpack/bootstrap',
        'webpack:///webpack/runtime/jsonp chunk loading',
        'webpack:///(webpack)/buildin/global.js',
        'webpack://shop/external "react"',
        '../../node_modules/react-dom/index.js',
        'webpack:///./~/react/lib/React.js',
        '\0vite/preload-helper.js',
        '../../vite/modulepreload-polyfill',
        '\0rolldown/runtime.js',
        '\0commonjsHelpers.js',
        'turbopack:///[turbopack]/browser/runtime/base/runtime-base.ts',
        'turbopack:///[project]/node_modules/.pnpm/next@16/node_modules/next/dist/client/index.js',
        'chrome-extension://abc/content.js',
        'node:internal/timers',
      ])
        assert.equal(of(path), false, path)
    })

    it('is the application’s otherwise', () => {
      for (const path of [
        'webpack://shop/./src/webpack/config.ts',
        '../src/cart/total.ts',
        'turbopack:///[project]/app/page.tsx',
        'webpack://_N_E/./app/external-links/page.tsx',
        '/home/me/vite/src/app.ts',
        '../../packages/next/src/index.ts',
      ])
        assert.equal(of(path), true, path)
      assert.equal(of(null), undefined)
    })
  })

  it('the position of a text in a bundle is where browsers say it is', () => {
    assert.deepEqual(placeOfText('ab\ncde', 'd'), { lineno: 2, colno: 2 })
  })
})
