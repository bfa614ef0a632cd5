/** What the back answers to the front and the command line over its own socket; the front hands none of these on. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type InternalRoute = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly contentType: string
  readonly answer: (body: string) => Promise<string>
}

/** Returns false when the path is none of these. */
export function createInternalRoutes(routes: readonly InternalRoute[]) {
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    if (!req.url?.startsWith('/-/')) return false
    const route = routes.find(({ method, path }) => method === req.method && path === req.url)
    void send(req, res, route)
    return true
  }
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  route: InternalRoute | undefined,
): Promise<void> {
  try {
    const text = route ? await route.answer(await bodyOf(req)) : 'no such internal route'
    res.writeHead(route ? 200 : 404, { 'content-type': route?.contentType ?? 'text/plain' })
    res.end(text)
  } catch (error) {
    res.writeHead(500, { 'content-type': 'text/plain' })
    res.end(error instanceof Error ? error.message : String(error))
  }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
