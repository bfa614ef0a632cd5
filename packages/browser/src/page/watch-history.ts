/** Tells of client-side changes of the address, `history`; hash changes are among them. */
import type { Client, Signals } from '../types.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the page calls it with is handed on
type AnyFunction = (this: any, ...args: any[]) => any

/**
 * Wraps a function of the page. `around` runs in its place: `call` runs the original, with the arguments of the page unless it
 * is given others, and `self` is its `this`. Printed, it looks like the original: libraries ask whether a function is native.
 */
export function wrap<T extends object, Self = T>(
  target: T,
  name: keyof T & string,
  around: (call: AnyFunction, args: unknown[], self: Self) => unknown,
): void {
  const original = target[name] as AnyFunction | undefined
  if (!original) return
  const replacement = function (this: Self, ...args: unknown[]) {
    return around((given = args) => original.apply(this, given), args, this)
  }
  replacement.toString = () => original.toString()
  target[name] = replacement as T[typeof name]
}

let watcher: Pick<Client, 'emit'> | undefined
let isInstalled = false
let last = ''

/** Any number of features may ask for it. The last client hears of them. */
export function watchHistory(client: Pick<Client, 'emit'>): void {
  watcher = client
  if (isInstalled) return
  isInstalled = true
  last = location.href
  for (const kind of ['push', 'replace'] as const)
    wrap(history, `${kind}State`, (call) => {
      const result = call()
      changed(kind)
      return result
    })
  addEventListener('popstate', () => changed('pop'))
}

/** Also when the address stayed the same: some routers keep what they show in the state alone. */
function changed(kind: Signals['history']['kind']): void {
  const from = last
  last = location.href
  watcher?.emit('history', { from, to: last, kind })
}
