import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Location, locationOf } from '../../src/client/location.ts'
import { createNavigator, type Loaded, type Loading } from '../../src/client/navigator.ts'
import type { RouteMatch } from '../../src/shared/match-routes.ts'
import type { PageData } from '../../src/shared/page-data.ts'

const pageOf = (title: string): PageData => ({
  build: 'b',
  template: '/[page]',
  kind: 'dynamic',
  status: 200,
  title,
  data: {},
})
const match = (): RouteMatch => ({ template: '/[page]', layouts: [], params: {} })

type Asked = Loading & { readonly answer: (loaded: Loaded) => void }
type Refreshed = Loading & { readonly answer: (page: PageData | undefined) => void }

function start() {
  const entries: Location[] = [locationOf('/home', '/', 'first')]
  let at = 0
  let pop = (): void => {}
  const asked: Asked[] = []
  const refreshed: Refreshed[] = []
  const states: string[] = []
  const saved = new Map<string, number>()
  let scrolledTo = 0
  const navigator = createNavigator({
    history: {
      current: () => entries[at] as Location,
      push(location) {
        entries.splice(++at, entries.length, location)
      },
      replace(location) {
        entries[at] = location
      },
      onPop(listener) {
        pop = listener
      },
    },
    match,
    load: (loading) => new Promise((answer) => asked.push({ ...loading, answer })),
    refresh: (loading) => new Promise((answer) => refreshed.push({ ...loading, answer })),
    first: pageOf('Home'),
    positions: { of: (key) => saved.get(key), save: (key) => void saved.set(key, scrolledTo) },
    onState: (state) => void states.push(state),
  })
  return {
    navigator,
    asked,
    refreshed,
    states,
    paths: () => entries.map(({ pathname, search, hash }) => pathname + search + hash),
    scroll: (px: number) => void (scrolledTo = px),
    back() {
      at--
      pop()
    },
    async arrive(which: number, title: string) {
      asked[which]?.answer({ kind: 'page', page: pageOf(title) })
      await settled()
    },
    title: () => navigator.shown().page.title,
  }
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a page is shown, and in the history, when it is there and not before', async () => {
  const t = start()
  const done = t.navigator.navigate('/a?x=1')
  assert.deepEqual([t.title(), t.paths(), t.navigator.goingTo()?.pathname], ['Home', ['/home'], '/a'])
  await t.arrive(0, 'A')
  await done
  assert.deepEqual([t.title(), t.paths(), t.navigator.goingTo()], ['A', ['/home', '/a?x=1'], undefined])
  assert.deepEqual(t.states, ['loading', 'idle'])
})

test('a later navigation takes the place of an earlier one, whose answer is then nobody’s', async () => {
  const t = start()
  const first = t.navigator.navigate('/a')
  const second = t.navigator.navigate('/b')
  assert.equal(t.asked[0]?.signal.aborted, true)
  await t.arrive(1, 'B')
  await t.arrive(0, 'A')
  await Promise.all([first, second])
  assert.deepEqual([t.title(), t.paths()], ['B', ['/home', '/b']])
})

test('a redirect is followed, and only its target is in the history', async () => {
  const t = start()
  void t.navigator.navigate('/old')
  t.asked[0]?.answer({ kind: 'redirect', to: '/new?y=2' })
  await settled()
  await t.arrive(1, 'New')
  assert.deepEqual([t.title(), t.paths()], ['New', ['/home', '/new?y=2']])
})

test('a redirect met on the way back takes the place of the entry that leads to it', async () => {
  const t = start()
  void t.navigator.navigate('/a')
  await t.arrive(0, 'A')
  t.back()
  t.asked[1]?.answer({ kind: 'redirect', to: '/sign-in' })
  await settled()
  await t.arrive(2, 'Sign in')
  assert.deepEqual([t.title(), t.paths()], ['Sign in', ['/sign-in', '/a']])
})

test('another fragment of the same page loads nothing; the same address once more does', async () => {
  const t = start()
  await t.navigator.navigate('#part')
  assert.deepEqual([t.asked.length, t.title(), t.paths()], [0, 'Home', ['/home', '/home#part']])
  assert.equal(t.navigator.shown().scrollTo, 'fragment-or-start')
  void t.navigator.navigate('/home', { replace: true })
  assert.equal(t.asked.length, 1)
  await t.arrive(0, 'Home again')
  assert.deepEqual([t.title(), t.paths()], ['Home again', ['/home', '/home']])
})

test('going back shows a page where it was left, a new visit begins at its start', async () => {
  const t = start()
  t.scroll(700)
  void t.navigator.navigate('/a')
  await t.arrive(0, 'A')
  assert.equal(t.navigator.shown().scrollTo, 'fragment-or-start')
  t.back()
  await t.arrive(1, 'Home')
  assert.equal(t.navigator.shown().scrollTo, 700)
  void t.navigator.navigate('/home?filter=1', { preventScrollReset: true })
  await t.arrive(2, 'Filtered')
  assert.equal(t.navigator.shown().scrollTo, 'fragment')
})

test('revalidating gives the page other data and leaves its scroll; without an answer it stays', async () => {
  const t = start()
  const before = t.navigator.shown()
  const done = t.navigator.revalidate()
  assert.equal(t.navigator.revalidate(), done)
  t.refreshed[1]?.answer(pageOf('Fresh'))
  await done
  assert.deepEqual([t.title(), t.navigator.shown().scrollTo], ['Fresh', 'nowhere'])
  assert.equal(t.navigator.shown().location, before.location)
  const again = t.navigator.revalidate()
  t.refreshed[2]?.answer(undefined)
  await again
  assert.equal(t.title(), 'Fresh')
})

test('revalidating while a navigation is under way asks for its page again, and ends with it', async () => {
  const t = start()
  void t.navigator.navigate('/a')
  const done = t.navigator.revalidate()
  assert.equal(t.asked[0]?.signal.aborted, true)
  await t.arrive(1, 'A')
  await done
  assert.deepEqual([t.refreshed.length, t.title(), t.paths()], [0, 'A', ['/home', '/a']])
})

test('a navigation ends a revalidation that has no answer yet', async () => {
  const t = start()
  const done = t.navigator.revalidate()
  void t.navigator.navigate('/a')
  t.refreshed[0]?.answer(pageOf('Late'))
  await t.arrive(0, 'A')
  await done
  assert.equal(t.title(), 'A')
})

test('listeners hear of each page, and whether it is to be rendered at once', async () => {
  const t = start()
  const heard: unknown[] = []
  const stop = t.navigator.listen(({ page }, isUrgent) => void heard.push([page.title, isUrgent]))
  void t.navigator.navigate('/a', { flushSync: true })
  await t.arrive(0, 'A')
  stop()
  void t.navigator.navigate('/b')
  await t.arrive(1, 'B')
  assert.deepEqual(heard, [['A', true]])
})

test('what leads to another site is refused', async () => {
  const t = start()
  await assert.rejects(t.navigator.navigate('https://elsewhere.example/'), /leads to another site/)
  await assert.rejects(t.navigator.navigate('//elsewhere.example/a'), /leads to another site/)
  assert.equal(t.asked.length, 0)
})
