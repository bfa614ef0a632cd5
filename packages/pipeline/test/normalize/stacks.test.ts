import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remarkOf, eventOf, framesOf } from './event-of.ts'

test('exceptions come as list, as {values} and alone', () => {
  for (const exception of [
    [{ type: 'A' }, { type: 'B', value: 'b' }],
    { values: [{ type: 'A' }, null, { type: 'B', value: 'b' }] },
  ])
    assert.deepEqual(eventOf({ exception }).exception, [{ type: 'A' }, { type: 'B', value: 'b' }])
  assert.deepEqual(eventOf({ exception: { type: 'A', value: 3 } }).exception, [{ type: 'A', value: '3' }])
  assert.deepEqual(eventOf({ 'sentry.interfaces.Exception': [{ type: 'A' }] }).exception, [{ type: 'A' }])
  assert.equal(eventOf({ exception: null }).exception, undefined)
  assert.equal(eventOf({ exception: { values: null } }).exception, undefined)
})

test('an exception needs a type, a value or a stack', () => {
  assert.equal(eventOf({ exception: [{ type: '', value: '' }] }).exception, undefined)
  assert.deepEqual(eventOf({ exception: ['oops', { value: 'x' }] }).exception, [{ value: 'x' }])
  assert.equal(framesOf([{ function: 'f' }], 'go').length, 1)
})

test('`Word: rest` without a type is split', () => {
  const cases: [string, object][] = [
    ['TypeError: x is undefined', { type: 'TypeError', value: 'x is undefined' }],
    ['no type here: x', { value: 'no type here: x' }],
    ['TypeError:x', { value: 'TypeError:x' }],
    ['Multi: a\nb', { type: 'Multi', value: 'a\nb' }],
  ]
  for (const [value, expected] of cases)
    assert.deepEqual(eventOf({ exception: [{ value }] }).exception, [expected])
})

test('a value that is no text is written as JSON', () => {
  assert.deepEqual(eventOf({ exception: [{ type: 'E', value: { code: [1] } }] }).exception, [
    { type: 'E', value: '{"code":[1]}' },
  ])
})

test('a mechanism gets a type and keeps its chain', () => {
  const mechanism = {
    handled: 'false',
    exception_id: 1,
    parent_id: '0',
    is_exception_group: true,
    meta: { signal: { number: 6 } },
  }
  assert.deepEqual(eventOf({ exception: [{ type: 'E', mechanism }] }).exception?.[0]?.mechanism, {
    type: 'generic',
    handled: false,
    exception_id: 1,
    parent_id: 0,
    is_exception_group: true,
    meta: { signal: { number: 6 } },
  })
})

test('a top-level stack goes to the only exception, else to a thread', () => {
  const stacktrace = { frames: [{ function: 'f' }] }
  const one = eventOf({ exception: [{ type: 'E' }], stacktrace })
  assert.equal(one.exception?.[0]?.stacktrace?.frames[0]?.function, 'f')
  assert.equal(one.threads, undefined)
  const none = eventOf({ message: 'm', stacktrace })
  assert.equal(none.threads?.[0]?.current, true)
  assert.equal(none.threads?.[0]?.stacktrace?.frames[0]?.function, 'f')
})

test('threads keep their state, registers and addresses', () => {
  const event = eventOf({
    platform: 'native',
    threads: {
      values: [
        {
          id: 0,
          name: 'main',
          crashed: true,
          current: false,
          main: true,
          state: 'RUNNABLE',
          stacktrace: {
            registers: { rip: '0x1', rax: 255 },
            frames: [{ instruction_addr: 4096, package: '/app/a.so' }],
          },
        },
      ],
    },
    debug_meta: { images: [{ type: 'elf', code_file: '/app/a.so' }] },
  })
  const [thread] = event.threads!
  assert.deepEqual(
    { ...thread, stacktrace: undefined },
    {
      id: '0',
      name: 'main',
      crashed: true,
      current: false,
      main: true,
      state: 'RUNNABLE',
      stacktrace: undefined,
    },
  )
  assert.deepEqual({ ...thread?.stacktrace?.registers }, { rip: '0x1', rax: '0xff' })
  assert.deepEqual(thread?.stacktrace?.frames, [
    { in_app: true, package: '/app/a.so', instruction_addr: '0x1000' },
  ])
  assert.deepEqual(event.debug_meta, { images: [{ type: 'elf', code_file: '/app/a.so' }] })
})

test('a frame is read leniently', () => {
  const [frame] = framesOf(
    [
      {
        function: '?',
        filename: 'a.py',
        lineno: '12',
        colno: -1,
        in_app: true,
        vars: { x: 1 },
        context_line: '',
        pre_context: ['1', '2', '3', '4', '5', null, 7],
      },
    ],
    'python',
  )
  assert.deepEqual(frame, {
    in_app: true,
    filename: 'a.py',
    abs_path: 'a.py',
    lineno: 12,
    context_line: '',
    pre_context: ['3', '4', '5', '', '7'],
    vars: { x: 1 },
  })
})

test('a browser file is named by the path of its URL', () => {
  const cases: [object, object][] = [
    [
      { filename: 'https://a.example/js/app.js?v=1#x' },
      { filename: '/js/app.js', abs_path: 'https://a.example/js/app.js?v=1#x' },
    ],
    [{ abs_path: 'http://a.example' }, { filename: '/', abs_path: 'http://a.example' }],
    [
      { filename: 'webpack:///./src/a.ts' },
      { filename: 'webpack:///./src/a.ts', abs_path: 'webpack:///./src/a.ts' },
    ],
    [{ filename: 'http.js' }, { filename: 'http.js', abs_path: 'http.js' }],
  ]
  for (const [raw, expected] of cases)
    assert.deepEqual(framesOf([raw], 'javascript')[0], { in_app: true, ...expected })
})

test('of 5,000 frames the 250 nearest to the crash stay, with source at both ends', () => {
  const raw = Array.from({ length: 5000 }, (_, index) => ({
    function: `f${index}`,
    vars: { index },
    context_line: 'x',
  }))
  const event = eventOf({ exception: [{ type: 'RecursionError', stacktrace: { frames: raw } }] })
  const stacktrace = event.exception?.[0]?.stacktrace
  assert.equal(stacktrace?.frames.length, 250)
  assert.equal(stacktrace?.frames.at(-1)?.function, 'f4999')
  assert.deepEqual(stacktrace?.frames_omitted, [0, 4750])
  assert.equal(stacktrace?.frames.filter((frame) => frame.vars).length, 50)
  assert.equal(stacktrace?.frames[100]?.context_line, undefined)
  assert.equal(remarkOf(event, 'exception.0.stacktrace.frames')?.originalLength, 5000)
})

test('silence about in_app means no once the SDK marked another frame', () => {
  const frames = framesOf(
    [{ filename: 'lib.js' }, { filename: 'app.js', in_app: true }, { filename: 'b.js', in_app: null }],
    'node',
  )
  assert.deepEqual(
    frames.map((frame) => frame.in_app),
    [false, true, false],
  )
})

test('without a word of the SDK the platform decides what is the user’s own code', () => {
  const cases: [string, object, boolean][] = [
    ['javascript', { filename: 'https://a.example/app.js' }, true],
    ['javascript', { filename: 'webpack:///./node_modules/react/index.js' }, false],
    ['javascript', { abs_path: 'https://unpkg.com/react@18/index.js', filename: '/react.js' }, false],
    ['javascript', { filename: 'chrome-extension://abc/x.js' }, false],
    ['javascript', { filename: '[native code]', function: 'forEach' }, false],
    ['node', { filename: 'node:internal/process/task_queues' }, false],
    ['node', { filename: '/srv/app/index.js' }, true],
    ['python', { abs_path: '/usr/lib/python3.12/json/__init__.py', filename: 'json/__init__.py' }, false],
    ['python', { abs_path: 'C:\\venv\\Lib\\site-packages\\django\\x.py', filename: 'django/x.py' }, false],
    ['python', { abs_path: '/code/app/views.py', filename: 'app/views.py' }, true],
    ['go', { module: 'net/http', function: 'Serve' }, false],
    ['go', { module: 'main', function: 'main' }, true],
    ['go', { abs_path: '/root/go/pkg/mod/github.com/lib/pq@v1/conn.go', module: 'github.com/lib/pq' }, false],
    ['java', { module: 'java.util.ArrayList' }, false],
    ['java', { module: 'com.acme.Shop' }, true],
    ['ruby', { abs_path: '/usr/local/bundle/gems/rack-2.2/lib/rack.rb', filename: 'rack.rb' }, false],
    ['php', { abs_path: '/srv/vendor/laravel/x.php', filename: '/vendor/laravel/x.php' }, false],
    ['php', { filename: '/app/Http/Kernel.php' }, true],
    ['csharp', { module: 'System.Linq.Enumerable' }, false],
    ['csharp', { module: 'Acme.Shop' }, true],
    ['cocoa', { package: '/System/Library/Frameworks/UIKit', function: 'f' }, false],
    ['cocoa', { package: '/var/containers/Bundle/Application/X/App.app/App', function: 'f' }, true],
    ['native', { instruction_addr: '0x1' }, false],
    ['other', { filename: '/x/node_modules/a.js' }, false],
    ['other', { filename: 'a.x' }, true],
  ]
  for (const [platform, frame, expected] of cases)
    assert.equal(framesOf([frame], platform)[0]?.in_app, expected, `${platform} ${JSON.stringify(frame)}`)
})
