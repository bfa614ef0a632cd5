/**
 * Keeps what happened before an error: console, clicks and inputs, requests, navigations. Shapes:
 * https://develop.sentry.dev/sdk/data-model/event-payloads/breadcrumbs/
 */
import { cut, normalize } from '../normalize.ts'
import { selectorOf } from '../page/selector.ts'
import { watchHistory, wrap } from '../page/watch-history.ts'
import { watchRequests } from '../page/watch-requests.ts'
import { keepBreadcrumb } from '../scope.ts'
import type { Breadcrumb, Client, Feature, Level } from '../types.ts'

const CONSOLE = ['debug', 'info', 'log', 'warn', 'error', 'assert'] as const
// Somebody who types makes one breadcrumb, not one per key.
const SAME_ELEMENT_WITHIN_MS = 1000

export const breadcrumbs = (): Feature => (client) => {
  watchRequests(client)
  watchHistory(client)
  watchConsole(client)
  watchElements(client)
  client.on('breadcrumb', (breadcrumb) => keepBreadcrumb(client, breadcrumb))
  client.on('requestEnd', ({ kind, method, url, status = 0 }) =>
    add(client, {
      type: 'http',
      category: kind,
      level: status >= 500 || !status ? 'error' : status >= 400 ? 'warning' : 'info',
      data: { method, url: cut(url), status_code: status || undefined },
    }),
  )
  client.on('history', ({ from, to }) => {
    if (from !== to)
      add(client, { type: 'navigation', category: 'navigation', data: { from: local(from), to: local(to) } })
  })
}

const add = (client: Client, breadcrumb: Breadcrumb): void => client.emit('breadcrumb', breadcrumb)

/** Without the page's own origin, which stands in the event's URL. */
const local = (url: string): string =>
  url.startsWith(location.origin) ? url.slice(location.origin.length) : url

function watchConsole(client: Client): void {
  for (const name of CONSOLE)
    wrap(console, name, (call, args) => {
      if (name !== 'assert' || !args[0])
        try {
          const level: Level =
            name === 'warn' ? 'warning' : name === 'assert' ? 'error' : name === 'log' ? 'info' : name
          add(client, {
            category: 'console',
            level,
            message: textOf(name === 'assert' ? args.slice(1) : args),
          })
        } catch {
          // The page logs something that cannot be read; it is still logged.
        }
      return call()
    })
}

/** As the console shows it, objects as JSON. */
const textOf = (args: unknown[]): string =>
  cut(
    args
      .map((arg) => normalize(arg, 2))
      .map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))
      .join(' '),
  )

function watchElements(client: Client): void {
  let last = ''
  let lastMs = 0
  for (const type of ['click', 'input'])
    // Capturing: the page may stop the event on its way.
    addEventListener(
      type,
      ({ target }) => {
        const category = 'ui.' + type
        const message = selectorOf(target as Node)
        const isSame = message === last && type === 'input' && Date.now() - lastMs < SAME_ELEMENT_WITHIN_MS
        last = message
        lastMs = Date.now()
        if (!isSame) add(client, { category, message })
      },
      true,
    )
}
