/**
 * Tells of the page's requests, `request` and `requestEnd`. The page notices nothing: arguments, `this`, results, errors
 * and bodies are its own. Headers that a listener adds are the one exception, and only then anything is copied.
 */
import type { Client, PageRequest } from '../types.ts'
import { wrap } from './watch-history.ts'

type Watcher = Pick<Client, 'emit' | 'owns'>

let watcher: Watcher | undefined
let isInstalled = false

/** Any number of features may ask for it. The last client hears of them. */
export function watchRequests(client: Watcher): void {
  watcher = client
  if (isInstalled) return
  isInstalled = true
  watchFetch()
  watchXhr()
}

/** `fetch` as the page had it: for questions of the reporter, which are no requests of the page. Needs `watchRequests`. */
export let plainFetch: typeof fetch

/** Undefined for the reporter's own. */
function start(
  kind: 'fetch' | 'xhr',
  method: string,
  url: string,
  headers: Headers,
): PageRequest | undefined {
  if (!watcher || watcher.owns(url)) return undefined
  const request = { kind, method: method.toUpperCase(), url, headers, start: performance.now() }
  watcher.emit('request', request)
  return request
}

function end(request: PageRequest, status: number, error?: unknown): void {
  request.end = performance.now()
  request.status = status
  if (error) request.error = error
  watcher?.emit('requestEnd', request)
}

const textOf = (headers: Headers): string => JSON.stringify([...headers])

function watchFetch(): void {
  plainFetch = fetch.bind(window)
  wrap(window, 'fetch', (call, args) => {
    let request: PageRequest | undefined
    try {
      const [input, init] = args as [RequestInfo | URL, RequestInit | undefined]
      const given = input instanceof Request ? input : undefined
      const headers = new Headers(init?.headers ?? given?.headers)
      const before = textOf(headers)
      request = start(
        'fetch',
        init?.method ?? given?.method ?? 'GET',
        typeof input === 'string' ? input : 'href' in input ? input.href : input.url,
        headers,
      )
      if (textOf(headers) !== before) {
        // Options beside a `Request` would reset its referrer, so it is copied whole.
        if (given && !init) {
          const copy = new Request(given)
          headers.forEach((value, name) => copy.headers.set(name, value))
          args = [copy]
        } else args = [input, { ...init, headers }]
      }
    } catch {
      // What fetch makes of these arguments is for fetch to say.
    }
    const answer = call(args)
    if (!request) return answer
    const started = request
    return answer.then(
      (response: Response) => {
        end(started, response.status)
        return response
      },
      (error: unknown) => {
        end(started, 0, error)
        throw error
      },
    )
  })
}

function watchXhr(): void {
  const opened = new WeakMap<XMLHttpRequest, [method: string, url: string, headers: Headers]>()
  const { prototype } = XMLHttpRequest
  wrap(prototype, 'open', (call, args, xhr) => {
    opened.set(xhr, [String(args[0]), String(args[1]), new Headers()])
    return call()
  })
  wrap(prototype, 'setRequestHeader', (call, args, xhr) => {
    const result = call()
    // After the browser has accepted it; the same name twice is a list.
    opened.get(xhr)?.[2].append(String(args[0]), String(args[1]))
    return result
  })
  wrap(prototype, 'send', (call, _, xhr) => {
    try {
      const [method, url, headers] = opened.get(xhr)!
      const given = new Headers(headers)
      const request = start('xhr', method, url, headers)
      if (request) {
        let name: string | undefined
        // The browser joins what is set under the same name: only what is new.
        new Headers(headers).forEach((value, header) => {
          const had = given.get(header) ?? ''
          if (value !== had) xhr.setRequestHeader(header, value.slice(had ? had.length + 1 : 0))
        })
        xhr.addEventListener('abort', () => (name = 'AbortError'))
        xhr.addEventListener('timeout', () => (name = 'TimeoutError'))
        xhr.addEventListener('loadend', () => end(request, xhr.status, name && new DOMException('', name)), {
          once: true,
        })
      }
    } catch {
      // Not opened, or not to be sent: `send` says so.
    }
    return call()
  })
}
