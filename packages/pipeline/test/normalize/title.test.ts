import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf } from './event-of.ts'

const stack = (frame: object) => ({ frames: [{ in_app: true, ...frame }] })

const withStack = (platform: string, ...frames: object[]) => ({
  platform,
  exception: [{ type: 'E', stacktrace: { frames } }],
})

test('titles', () => {
  const cases: [object, string][] = [
    [
      {
        exception: [
          { type: 'A', value: 'cause' },
          { type: 'B', value: 'first\nsecond' },
        ],
      },
      'B: first',
    ],
    [{ exception: [{ type: 'B' }] }, 'B'],
    [{ exception: [{ value: 'only this' }] }, '<unknown>: only this'],
    [{ exception: [{ value: 'only this', stacktrace: stack({ function: 'f' }) }] }, 'f: only this'],
    [{ exception: [{ type: 'SIGSEGV', value: 'Segfault', mechanism: { synthetic: true } }] }, 'Segfault'],
    [
      {
        exception: [
          { type: 'SIGSEGV', mechanism: { synthetic: true }, stacktrace: stack({ function: 'main' }) },
        ],
      },
      'main',
    ],
    [{ exception: [{ type: 'E', value: 'v'.repeat(400) }] }, `E: ${'v'.repeat(250)}...`],
    [
      { message: 'took long', exception: [{ value: 'took long', stacktrace: stack({ function: 'Lc' }) }] },
      'took long',
    ],
    [{ message: '  \n hello\r\nworld' }, 'hello'],
    [{}, '<unlabeled event>'],
    [
      {
        main_exception_id: 1,
        exception: [
          { type: 'A', value: 'a', mechanism: { exception_id: 1 } },
          { type: 'G', value: 'g', mechanism: { exception_id: 0 } },
        ],
      },
      'A: a',
    ],
  ]
  for (const [raw, expected] of cases) assert.equal(eventOf(raw).derived.title, expected, JSON.stringify(raw))
})

test('culprits', () => {
  const cases: [object, string][] = [
    [{ transaction: '/cart', culprit: 'x' }, '/cart'],
    [{ culprit: 'mod.fn' }, 'mod.fn'],
    [withStack('javascript', { function: 'f', filename: 'https://a.example/main.js' }), 'f(/main.js)'],
    [withStack('javascript', { filename: 'https://a.example/main.js' }), '?(/main.js)'],
    [withStack('node', { function: 'f', module: 'app:index' }), 'f(app:index)'],
    [
      withStack('python', { function: 'get', module: 'errors.views', filename: 'errors/views.py' }),
      'errors.views in get',
    ],
    [withStack('php', { function: 'run', filename: '/app/run.php' }), '/app/run.php in run'],
    [withStack('native', { function: 'crash', package: '/bin/x' }), 'crash'],
    [
      withStack('python', { function: 'mine', module: 'a', in_app: true }, { function: 'lib', module: 'b' }),
      'a in mine',
    ],
    [
      withStack(
        'python',
        { function: 'x', module: 'a', in_app: false },
        { function: 'y', module: 'b', in_app: false },
      ),
      'b in y',
    ],
    [{ request: { url: 'https://a.example/p?q' } }, 'https://a.example/p'],
    [{}, ''],
  ]
  for (const [raw, expected] of cases)
    assert.equal(eventOf(raw).derived.culprit, expected, JSON.stringify(raw))
})

test('metadata names the exception that names the issue', () => {
  const event = eventOf({
    platform: 'python',
    exception: [{ type: 'E', value: 'v', stacktrace: stack({ function: 'f', filename: 'a.py' }) }],
  })
  assert.deepEqual(event.derived.metadata, { type: 'E', value: 'v', filename: 'a.py', function: 'f' })
})

test('feedback is titled as such, its words are in the metadata', () => {
  const contexts = { feedback: { message: 'It broke', contact_email: 'a@b.example', name: 'A' } }
  const { derived, level } = eventOf({ contexts }, { itemType: 'feedback' })
  assert.equal(level, 'info')
  assert.equal(derived.title, 'User Feedback: It broke')
  assert.deepEqual(derived.metadata, {
    title: 'User Feedback',
    message: 'It broke',
    contact_email: 'a@b.example',
    name: 'A',
  })
})
