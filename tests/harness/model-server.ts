/** A server with the API that OpenAI's clients speak, as far as a streamed chat goes: what it answers, the test says. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ModelRequest = {
  readonly authorization: string | undefined
  readonly body: {
    readonly model: string
    readonly stream: boolean
    readonly messages: readonly { readonly role: string; readonly content: string }[]
  }
}

export type ModelServer = {
  /** Ends with `/v1`. */
  readonly url: string
  readonly requests: readonly ModelRequest[]
  /** How many connections were given up before their answer ended. */
  readonly abandoned: () => number
  /** For the requests from now on. */
  answerWith(answer: Answer): void
  close(): void
}

type Answer = (response: ServerResponse, request: ModelRequest) => void | Promise<void>

export const piece = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`
export const usage = (prompt: number, completion: number): string =>
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } })}\n\n`
export const DONE = 'data: [DONE]\n\n'
export const STREAMED = { 'content-type': 'text/event-stream' }

export async function startModelServer(answer: Answer): Promise<ModelServer> {
  let answers = answer
  let abandoned = 0
  const requests: ModelRequest[] = []
  const server = createServer((request, response) => {
    response.on('close', () => void (response.writableFinished || abandoned++))
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (request.url !== '/v1/chat/completions' || request.method !== 'POST')
        return response.writeHead(404).end('404 page not found')
      const sent: ModelRequest = {
        authorization: request.headers.authorization,
        body: JSON.parse(Buffer.concat(parts).toString()) as ModelRequest['body'],
      }
      requests.push(sent)
      void answers(response, sent)
      return undefined
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    abandoned: () => abandoned,
    answerWith: (next) => void (answers = next),
    close: () => void (server.closeAllConnections(), server.close()),
  }
}
