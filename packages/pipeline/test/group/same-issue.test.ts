/** What must meet in one issue, and what must not. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type GroupedEvent, groupEvent } from '../../src/group/group-event.ts'
import { eventOf, frame, thrown } from './event-of.ts'

const values = (event: GroupedEvent) => groupEvent(event).parts.map((part) => part.value)
const same = (a: GroupedEvent, b: GroupedEvent): void => {
  assert.deepEqual(values(a), values(b))
  assert.deepEqual(groupEvent(a).hashes, groupEvent(b).hashes)
}
const different = (a: GroupedEvent, b: GroupedEvent): void =>
  assert.notEqual(groupEvent(a).hashes[0], groupEvent(b).hashes[0])

const CDN = 'https://cdn.shop.test/assets'
const bundle = (name: string, fn: string, colno: number) =>
  frame({
    function: fn,
    filename: `${CDN}/${name}`,
    abs_path: `${CDN}/${name}`,
    lineno: 1,
    colno,
    in_app: true,
  })
const js = (value: string, ...frames: ReturnType<typeof frame>[]): GroupedEvent =>
  eventOf({ platform: 'javascript', exception: [thrown('TypeError', value, frames)] })

describe('two releases of a minified bundle without source maps', () => {
  const first = js(
    "Cannot read properties of undefined (reading 'total')",
    bundle('index-BxK3p_9d.js', 'Hn', 31_112),
    bundle('index-BxK3p_9d.js', 't.handleCheckout', 88_120),
    bundle('index-BxK3p_9d.js', 'n', 90_011),
  )
  it('meet in one issue', () => {
    const second = js(
      "Cannot read properties of undefined (reading 'total')",
      bundle('index-Cq81_kPz.js', 'xr', 30_800),
      bundle('index-Cq81_kPz.js', 'e.handleCheckout', 88_450),
      bundle('index-Cq81_kPz.js', 'o', 91_100),
    )
    same(first, second)
  })
  it('meet whatever the minifier calls the variable', () => {
    same(
      js('e.total is not a function', bundle('main.3f2a9c1b.js', 'a', 500)),
      js('n.total is not a function', bundle('main.77aa9c1c.js', 'q', 700)),
    )
    same(
      js("undefined is not an object (evaluating 't.items.length')", bundle('app.min.js', 'a', 5)),
      js("undefined is not an object (evaluating 'r.items.length')", bundle('app.min.js', 'b', 9)),
    )
  })
  it('do not take another error along', () => {
    different(first, js('Failed to fetch', bundle('index-BxK3p_9d.js', 'Hn', 31_112)))
    different(
      first,
      js("Cannot read properties of undefined (reading 'items')", bundle('index-BxK3p_9d.js', 'n', 9)),
    )
  })
})

describe('JavaScript', () => {
  const source = (fn: string, file: string, line: string, more = {}) =>
    frame({ function: fn, filename: file, context_line: line, lineno: 12, colno: 3, ...more })

  it('ignores query strings, origins and content hashes of readable files', () => {
    same(
      js(
        'bad',
        frame({
          function: 'pay',
          filename: 'https://a.test/js/pay.js?v=1',
          abs_path: 'https://a.test/js/pay.js?v=1',
        }),
      ),
      js(
        'bad',
        frame({
          function: 'pay',
          filename: 'https://b.test/js/pay.js?v=2',
          abs_path: 'https://b.test/js/pay.js?v=2',
        }),
      ),
    )
    same(
      js('bad', source('pay', 'webpack:///./src/pay.ts?a1b2', 'charge(card)')),
      js('bad', source('pay', 'webpack-internal:///(rsc)/./src/pay.ts', 'charge(card)')),
    )
  })
  it('ignores the page in which an inline script stands', () => {
    const inline = (page: string) => js('bad', frame({ function: 'track', filename: page, abs_path: page }))
    same(inline('https://shop.test/products/1'), inline('https://shop.test/products/2?x=y'))
  })
  it('ignores how promises and timers were called', () => {
    const own = source('load', 'src/load.ts', 'await read()')
    const plumbing = [
      frame({ function: 'process.processTicksAndRejections', filename: 'node:internal/process/task_queues' }),
      frame({ function: 'asyncGeneratorStep', filename: 'src/load.ts' }),
      frame({ function: 'async Promise.all', filename: 'index 0' }),
    ]
    same(js('bad', own), js('bad', ...plumbing, own))
  })
  it('tells anonymous functions apart by their line of source, not by their number', () => {
    const anonymous = (line: string, lineno: number) =>
      js('bad', source('?', 'src/cart.ts', line, { lineno }))
    same(anonymous('items.map((item) => item.id)', 10), anonymous('  items.map((item) => item.id)', 99))
    different(anonymous('items.map((item) => item.id)', 10), anonymous('items.pop()', 10))
  })
  it('drops the receiver, the alias and the async mark of a function', () => {
    same(
      js('bad', source('Object.save', 'src/db.ts', 'x')),
      js('bad', source('async Cart.save [as commit]', 'src/db.ts', 'x')),
    )
  })
  it('puts all failed chunks of a deploy into one issue', () => {
    const chunk = (type: string, value: string) =>
      eventOf({ platform: 'javascript', exception: [thrown(type, value, [])] })
    same(
      chunk('ChunkLoadError', 'Loading chunk 12 failed.'),
      chunk(
        'TypeError',
        'Failed to fetch dynamically imported module: https://a.test/assets/About-1f2e3d4c.js',
      ),
    )
  })
})

describe('a stack trace', () => {
  const python = (...names: string[]) =>
    eventOf({
      platform: 'python',
      exception: [
        thrown(
          'ValueError',
          `bad ${names.length}`,
          names.map((name) => frame({ function: name, module: 'shop.cart' })),
        ),
      ],
    })
  it('counts without its message', () => {
    const saying = (value: string) =>
      eventOf({ exception: [thrown('E', value, [frame({ function: 'f', module: 'shop' })])] })
    same(saying('no stock of apples'), saying('no stock of pears'))
  })
  it('counts each recursion once, in rings of up to four', () => {
    same(python('run', 'walk', 'fail'), python('run', 'walk', 'walk', 'walk', 'fail'))
    same(
      python('run', 'a', 'b', 'c', 'fail'),
      python('run', 'a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c', 'fail'),
    )
  })
  it('leaves out libraries where there is code of the app', () => {
    const library = (version: string) =>
      frame({ function: `internal_${version}`, module: 'django', in_app: false })
    const own = frame({ function: 'view', module: 'shop.views' })
    const event = (version: string) =>
      eventOf({ platform: 'python', exception: [thrown('KeyError', 'x', [library(version), own])] })
    same(event('4'), event('5'))
  })
  it('ignores release folders and generated class names', () => {
    const at = (filename: string) =>
      eventOf({ platform: 'php', exception: [thrown('E', 'x', [frame({ function: 'f', filename })])] })
    same(at('/srv/releases/20240101101010/app/a.php'), at('/home/ann/releases/20250202/app/a.php'))
    const java = (module: string) =>
      eventOf({ platform: 'java', exception: [thrown('E', 'x', [frame({ function: 'f', module })])] })
    same(
      java('shop.Cart$$EnhancerBySpringCGLIB$$1ebdddb0'),
      java('shop.Cart$$EnhancerBySpringCGLIB$$9f00aa12'),
    )
    same(java('shop.Cart$$Lambda$14/0x00000008000d1440'), java('shop.Cart$$Lambda$99/0x00000008000aaaaa'))
  })
})

describe('chains and groups', () => {
  const plain = (type: string, value: string) => thrown(type, value, [])
  it('count every cause', () => {
    const wrapped = (cause: string) => eventOf({ exception: [plain(cause, 'x'), plain('Wrapper', 'failed')] })
    different(wrapped('IoError'), wrapped('ParseError'))
  })
  it('ignore how many tasks of a group failed, and in which order', () => {
    const group = (...values: string[]) => {
      const mechanism = { type: 'chained', is_exception_group: true }
      return eventOf({
        exception: [...values.map((value) => plain('E', value)), { ...plain('Group', 'all'), mechanism }],
      })
    }
    same(group('a', 'b'), group('b', 'a', 'b'))
    different(group('a', 'b'), group('a', 'c'))
  })
})

describe('the SDK decides', () => {
  const base = {
    platform: 'python',
    exception: [thrown('E', 'x', [])],
    transaction: '/pay',
    tags: [['region', 'eu']] as const,
  }
  it('by a fingerprint, with variables', () => {
    const a = groupEvent(
      eventOf({ ...base, fingerprint: ['{{ transaction }}', '{{tags.region}}', '{{ tags.none }}', 'x'] }),
    )
    assert.equal(a.basis, 'fingerprint')
    assert.deepEqual(a.parts, [{ from: 'fingerprint', value: '/pay\neu\n<no-value-for-tag-none>\nx' }])
    same(
      eventOf({ ...base, fingerprint: ['/pay'] }),
      eventOf({ fingerprint: ['{{ transaction }}'], transaction: '/pay' }),
    )
  })
  it('by the default and more', () => {
    same(eventOf({ ...base, fingerprint: ['{{ default }}'] }), eventOf(base))
    different(
      eventOf({ ...base, fingerprint: ['{{ default }}', 'eu'] }),
      eventOf({ ...base, fingerprint: ['{{ default }}', 'us'] }),
    )
    different(
      eventOf({ ...base, fingerprint: ['{{default}}', 'eu'] }),
      eventOf({ exception: [thrown('F', 'x', [])], fingerprint: ['{{default}}', 'eu'] }),
    )
  })
  it('by a checksum', () => {
    const hash = 'C'.repeat(32)
    assert.deepEqual(groupEvent(eventOf({ ...base, checksum: hash })).hashes, [hash.toLowerCase()])
    assert.match(groupEvent(eventOf({ ...base, checksum: 'mine' })).hashes[0] ?? '', /^[0-9a-f]{32}$/)
  })
})

describe('without a stack', () => {
  it('type and message decide, without what changes in it', () => {
    const failed = (value: string) => eventOf({ exception: [thrown('HttpError', value, [])] })
    same(
      failed('GET https://a.test/1 gave 500 after 12ms'),
      failed('GET https://a.test/2 gave 502 after 3ms'),
    )
    different(failed('refused'), failed('timed out'))
  })
  it('a template is better than the message made of it', () => {
    const log = (formatted: string) => eventOf({ logentry: { message: 'Hello %s', formatted } })
    same(log('Hello Ann'), log('Hello Bob'))
  })
  it('the event falls back to its type, and never has no hash', () => {
    const { basis, hashes } = groupEvent(eventOf({}))
    assert.equal(basis, 'fallback')
    assert.equal(hashes.length, 1)
  })
})
