/** What the server and the browser render of a page; both differ in one place. */
import { createElement as h, type ReactNode } from 'react'

type Of = { readonly side: 'server' | 'browser' }

const Clock = ({ side }: Of): ReactNode => h('time', null, side === 'server' ? '12:04' : '6:04 PM')
const Price = ({ side }: Of): ReactNode => h('b', null, side === 'server' ? '$12.00' : '12,00 €')

export const App = ({ side, path }: Of & { readonly path: string }): ReactNode =>
  h('main', null, path.startsWith('/products/') ? h(Clock, { side }) : h(Price, { side }))
