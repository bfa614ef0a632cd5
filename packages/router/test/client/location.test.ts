import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserHistory, locationOf, requestedLocation } from '../../src/client/location.ts'

test('a path that is asked for may begin with two slashes, and what leads elsewhere is no page', () => {
  assert.deepEqual(requestedLocation('//other.example/x?y=1'), {
    pathname: '//other.example/x',
    search: '?y=1',
    hash: '',
    key: '',
  })
  assert.equal(requestedLocation('/\\other.example/x').pathname, '//other.example/x')
  assert.equal(locationOf('?z=2', '//other.example/x?y=1').pathname, '//other.example/x')
  for (const to of ['//other.example/x', '/\\other.example', 'https://other.example', 'javascript:alert(1)'])
    assert.throws(() => locationOf(to, '/a'), /leads to another site/)
})

test('an entry stays on this site, also when the browser refuses it', () => {
  const written: unknown[] = []
  const refuse = { now: false }
  const write = (state: unknown, _: string, url: string): void => {
    if (refuse.now) throw new Error('too many')
    written.push([state, url])
  }
  const window = {
    history: { pushState: write, replaceState: write, state: null },
    location: {
      origin: 'https://sonde.example',
      pathname: '/a',
      search: '',
      hash: '',
      assign: (url: string) => written.push(url),
    },
  } as unknown as Window
  const history = browserHistory(window, new EventTarget())
  const location = locationOf('?z=2#h', '//other.example/x', 'k')
  history.push(location)
  refuse.now = true
  history.replace(location)
  const url = 'https://sonde.example//other.example/x?z=2#h'
  assert.deepEqual(written, [[{ key: 'k' }, url], url])
})
