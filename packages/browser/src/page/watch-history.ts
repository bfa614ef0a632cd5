/** Tells of client-side changes of the address, `history`; hash changes are among them. */
import type { Client, Signals } from '../types.ts'
import { wrap } from './wrap.ts'

let watcher: Client | undefined
let isInstalled = false
let last = ''

/** Any number of features may ask for it. The last client hears of them. */
export function watchHistory(client: Client): void {
  watcher = client
  if (isInstalled) return
  isInstalled = true
  last = location.href
  for (const kind of ['push', 'replace'] as const)
    wrap(
      history,
      `${kind}State`,
      (original) =>
        function (this: History, ...args: unknown[]) {
          const result = original.apply(this, args)
          changed(kind)
          return result
        },
    )
  addEventListener('popstate', () => changed('pop'))
}

/** Also when the address stayed the same: some routers keep what they show in the state alone. */
function changed(kind: Signals['history']['kind']): void {
  const from = last
  last = location.href
  watcher?.emit('history', { from, to: last, kind })
}
