/** An app that renders something else in the browser than on the server, in the ways that its path names. */
import { createElement as h, type ReactNode, Suspense, useState } from 'react'

export type Side = 'server' | 'browser'
type Of = { readonly path: string; readonly side: Side }

function Clock({ path, side }: Of) {
  const text = side === 'server' ? '12:04 in Berlin' : '6:04:31 PM in Lisbon'
  return h('time', null, path === '/text' ? text : 'now')
}

function Price({ path, side }: Of) {
  busy(path === '/boundary' && side === 'browser' ? 60 : 0)
  return h('b', null, path === '/boundary' && side === 'browser' ? '1.299,00 €' : '$1,299.00')
}

function Greeting({ path, side }: Of) {
  return h(
    'p',
    { className: 'greeting' },
    path === '/space' && side === 'server' ? 'Good  morning ' : 'Good morning',
  )
}

function Badge({ path, side }: Of) {
  const className = path === '/attribute' && side === 'browser' ? 'badge dark' : 'badge light'
  return h('i', { className }, 'new')
}

function Counter() {
  const [count, setCount] = useState(0)
  return h('button', { onClick: () => setCount(count + 1) }, 'bought ', count, ' times')
}

export function App(of: Of): ReactNode {
  return h(
    'main',
    null,
    h(Clock, of),
    h(Greeting, of),
    h(Badge, of),
    h(Counter),
    h('p', null, h('span', null, 'not a button')),
    h(Suspense, { fallback: 'wait' }, h(Price, of)),
  )
}

/** Work that takes so long: what is rendered twice costs it twice. */
function busy(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}
