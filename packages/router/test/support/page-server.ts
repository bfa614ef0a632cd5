import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BUILD_HEADER, PAGE_CONTENT_TYPE, PAGE_HEADER, type PageData } from '../../src/shared/page-data.ts'

export type Asked = {
  readonly url: string
  readonly header: string
  readonly method: string
  aborted: boolean
}

export type PageServer = AsyncDisposable & {
  readonly origin: string
  readonly asked: Asked[]
  /** How many requests wait for an answer now. */
  open(): number
  /** Answers the waiting requests of a URL. */
  answer(url: string, page?: Partial<PageData>): void
  /** Resolves when so many requests were received. */
  received(count: number): Promise<void>
  /** Resolves when so many requests were broken off by the client. */
  aborted(count: number): Promise<void>
  /** Answers at once instead of waiting for `answer`. */
  on(url: string, respond: (request: IncomingMessage, response: ServerResponse) => void): void
}

export const BUILD = 'build-1'

export function pageOf(page: Partial<PageData> = {}): PageData {
  return { build: BUILD, template: '/x', kind: 'dynamic', status: 200, title: 'X', data: {}, ...page }
}

/** A server whose page data is released by the test, so that nothing depends on how fast the machine is. */
export async function startPageServer(): Promise<PageServer> {
  const asked: Asked[] = []
  const open = new Map<ServerResponse, string>()
  const immediate = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const checks = new Set<() => void>()
  const changed = (): void => checks.forEach((check) => check())
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return
        checks.delete(check)
        resolve()
      }
      checks.add(check)
      check()
    })

  const server = createServer((request, response) => {
    const url = request.url ?? ''
    const entry: Asked = {
      url,
      header: String(request.headers[PAGE_HEADER] ?? ''),
      method: request.method ?? '',
      aborted: false,
    }
    asked.push(entry)
    response.on('close', () => {
      entry.aborted = !response.writableEnded
      open.delete(response)
      changed()
    })
    const respond = immediate.get(url)
    if (respond) respond(request, response)
    else open.set(response, url)
    changed()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    open: () => open.size,
    received: (count) => until(() => asked.length >= count),
    aborted: (count) => until(() => asked.filter((entry) => entry.aborted).length >= count),
    on: (url, respond) => void immediate.set(url, respond),
    answer(url, page) {
      for (const [response, waiting] of open) {
        if (waiting !== url) continue
        open.delete(response)
        sendPage(response, page)
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function sendPage(response: ServerResponse, page?: Partial<PageData>): void {
  response.writeHead(page?.status ?? 200, { 'content-type': PAGE_CONTENT_TYPE, [BUILD_HEADER]: BUILD })
  response.end(JSON.stringify(pageOf(page)))
}
