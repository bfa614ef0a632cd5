import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hydrationKind, mismatchedComponent } from '@sonde/protocol/hydration'

const minified = (code: number): Error =>
  new Error(
    `Minified React error #${code}; visit https://react.dev/errors/${code}?args[]=HTML for the full message`,
  )

describe('hydration errors', () => {
  it('are told apart from other errors that React recovered from', () => {
    assert.equal(hydrationKind(minified(418)), 'mismatch')
    assert.equal(hydrationKind(minified(425)), 'mismatch')
    assert.equal(hydrationKind(minified(419)), 'server_error')
    assert.equal(hydrationKind(minified(185)), undefined)
    assert.equal(
      hydrationKind(new Error("Hydration failed because the server rendered HTML didn't match the client.")),
      'mismatch',
    )
    assert.equal(
      hydrationKind(
        new Error(
          'The server could not finish this Suspense boundary, likely due to an error during server rendering.',
        ),
      ),
      'server_error',
    )
    assert.equal(
      hydrationKind(
        new Error('There was an error while hydrating this Suspense boundary. Switched to client rendering.'),
      ),
      'mismatch',
    )
    assert.equal(
      hydrationKind(
        new Error('Switched to client rendering because the server rendering errored:\n\nno stock'),
      ),
      'server_error',
    )
    assert.equal(hydrationKind(new Error('Text content does not match server-rendered HTML.')), 'mismatch')
    assert.equal(hydrationKind(new Error('no price')), undefined)
  })

  it('belong to the first component of the stack that has a name', () => {
    assert.equal(
      mismatchedComponent('\n    at time (<anonymous>)\n    at Clock (http://x/app.js:1:2)\n    at Shop'),
      'Clock',
    )
    assert.equal(mismatchedComponent('time@unknown:0:0\nClock@http://x/app.js:1:2\n'), 'Clock')
    assert.equal(mismatchedComponent('\n    at time (<anonymous>)\n    at a (http://x/app.js:1:2)'), 'time')
    assert.equal(mismatchedComponent(''), 'unknown')
    assert.equal(mismatchedComponent(null), 'unknown')
  })
})
