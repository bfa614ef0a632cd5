/**
 * What the back answers to the front and the command line, over a socket that nothing else uses: the one that strangers'
 * requests are handed on to does not know these routes, whatever is written in a request.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { errorAnswer } from '../internal/error-text.ts'

export type InternalRoute = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly contentType: string
} & (
  | { readonly answer: (body: string) => Promise<string> }
  /** What is too long for the memory, piece by piece. */
  | { readonly stream: (body: string) => Promise<AsyncIterable<string>> }
)

export function createInternalRoutes(routes: readonly InternalRoute[]): RequestListener {
  return (req, res) => {
    const route = routes.find(({ method, path }) => method === req.method && path === req.url)
    void send(req, res, route)
  }
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  route: InternalRoute | undefined,
): Promise<void> {
  try {
    if (route && 'stream' in route) {
      const pieces = await route.stream(await bodyOf(req))
      res.writeHead(200, { 'content-type': route.contentType })
      return await pipeline(pieces, res)
    }
    const text = route ? await route.answer(await bodyOf(req)) : 'no such internal route'
    res.writeHead(route ? 200 : 404, { 'content-type': route?.contentType ?? 'text/plain' })
    res.end(text)
  } catch (error) {
    if (res.headersSent) return void res.destroy()
    const { status, type, text } = errorAnswer(error)
    res.writeHead(status, { 'content-type': type })
    res.end(text)
  }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
