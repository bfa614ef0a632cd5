import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import fc from 'fast-check'
import { pathParts } from '../../src/ownership/event-facts.ts'
import { sharedEnd, suspectPlaces } from '../../src/ownership/suspect-commits.ts'

describe('places that a commit is suspected for', () => {
  test('the paths of bundlers and servers are those of the repository', () => {
    for (const path of [
      'webpack://shop/./src/cart.ts',
      'webpack:///./src/cart.ts?1a2b',
      '../../src/cart.ts',
      './src/cart.ts',
      'src\\cart.ts',
    ])
      assert.deepEqual(pathParts(path), ['src', 'cart.ts'], path)
    assert.deepEqual(pathParts('/srv/app/src/cart.ts'), ['srv', 'app', 'src', 'cart.ts'])
  })

  test('two paths are of one file when one ends with the other', () => {
    const part = fc.stringMatching(/^[a-c.]{1,3}$/)
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 2, maxLength: 5 }),
        fc.array(part, { maxLength: 4 }),
        (end, front) => {
          assert.equal(sharedEnd(end, [...front, ...end]), end.length)
          assert.equal(sharedEnd([...front, ...end], end), end.length)
        },
      ),
    )
    assert.equal(sharedEnd(['a', 'x.ts'], ['b', 'x.ts']), 0)
    assert.equal(sharedEnd(['x.ts'], ['b', 'x.ts']), 0)
    assert.equal(sharedEnd(['x.ts'], ['x.ts']), 1)
    assert.equal(sharedEnd([], []), 0)
  })

  test('the exception that was thrown comes before what caused it, and a file is named once', () => {
    const event = {
      exception: [
        { stacktrace: { frames: [{ in_app: true, filename: 'a/cause.ts' }] } },
        {
          stacktrace: {
            frames: [
              { in_app: true, filename: 'a/far.ts' },
              { in_app: true, filename: 'a/near.ts', lineno: 1 },
              { in_app: true, filename: 'a/near.ts', lineno: 2 },
            ],
          },
        },
      ],
    } as unknown as NormalizedEvent
    assert.deepEqual(
      suspectPlaces(event).map(({ parts, line }) => [parts.join('/'), line]),
      [
        ['a/near.ts', 2],
        ['a/far.ts', undefined],
        ['a/cause.ts', undefined],
      ],
    )
  })
})
