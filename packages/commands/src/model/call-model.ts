/**
 * Asks a language model by the API that OpenAI's clients speak (`POST /chat/completions`, streamed), which most servers of models
 * have. What comes back is a stranger's text: bounded in bytes, characters and time, and read as text alone.
 * https://platform.openai.com/docs/api-reference/chat/streaming
 */
import { SondeError } from '@sonde/base'
import type { Outgoing } from '@sonde/outgoing'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { z } from 'zod'

export type ModelDeps = {
  readonly outgoing: Outgoing
  /** Who asks: one question each at a time, of each organization a few. */
  readonly asking: Map<string, number>
}

export type Model = {
  /** Without `/chat/completions`. */
  readonly url: string
  readonly model: string
  /** Empty: the server wants none. */
  readonly key: string
}

export type Question = { readonly system: string; readonly user: string }

/** Tokens as the server counted them; undefined: it told none. */
export type ModelUsage = { readonly input: number; readonly output: number }

export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end'; readonly usage: ModelUsage | undefined; readonly isCut: boolean }

const TIMEOUT_MS = 5 * 60_000
/** Each piece of a few characters has some 300 bytes around it. */
const MAX_BYTES = 8 * 1024 * 1024
/** Nobody reads a longer explanation, and a model that repeats itself costs money. */
const MAX_ANSWER_CHARS = 20_000
const MAX_SAID_CHARS = 300

const PIECE = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z
    .object({ prompt_tokens: z.number().nonnegative(), completion_tokens: z.number().nonnegative() })
    .nullish(),
  /** Some servers tell of a failure within a stream that began well. */
  error: z.unknown().optional(),
})

/**
 * Text as it comes, then one `end`. `signal` ends the connection, and so what it costs. Throws `SondeError` (`unavailable`) with
 * what the server said, `OutgoingError` when it does not answer.
 */
export async function* askModel(
  outgoing: Outgoing,
  { url, model, key }: Model,
  { system, user }: Question,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const { status, chunks } = await outgoing.stream(
    {
      url: `${url}${url.endsWith('/') ? '' : '/'}chat/completions`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key !== '' && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
      }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    },
    signal,
  )
  if (status !== 200) throw refusal(await beginningOf(chunks), `it answered ${status}`)
  let usage: ModelUsage | undefined
  let chars = 0
  let isCut = false
  let hasAnswered = false
  for await (const data of eventsOf(chunks)) {
    if (data === '[DONE]') break
    const piece = readPiece(data)
    hasAnswered = true
    const [choice] = piece.choices
    const text = choice?.delta?.content ?? ''
    if (text !== '') yield { kind: 'text', text: text.slice(0, MAX_ANSWER_CHARS - chars) }
    chars += text.length
    if (choice?.finish_reason === 'length') isCut = true
    if (piece.usage) usage = { input: piece.usage.prompt_tokens, output: piece.usage.completion_tokens }
    if (chars < MAX_ANSWER_CHARS) continue
    isCut = true
    break
  }
  if (!hasAnswered)
    throw refusal('', 'its answer was no stream of events: is the address that of an OpenAI-compatible API?')
  yield { kind: 'end', usage, isCut }
}

/** `data` of each event of the stream. */
async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let waiting: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => void waiting.push(event) })
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    const events = waiting
    waiting = []
    for (const { data } of events) yield data
  }
}

function readPiece(data: string): z.output<typeof PIECE> {
  const piece = PIECE.safeParse(jsonOf(data))
  if (!piece.success) throw refusal(data, 'it sent what an OpenAI-compatible API does not send')
  if (piece.data.error !== undefined && piece.data.error !== null)
    throw refusal(data, 'it ended with an error')
  return piece.data
}

async function beginningOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > 10_000) break
  }
  return text
}

/** `{"error": {"message": …}}` is what most say; else the beginning of the text. */
function refusal(body: string, what: string): SondeError {
  const told = ERROR.safeParse(jsonOf(body))
  const error = told.success ? told.data.error : body
  const message = typeof error === 'string' ? error : error.message
  const said = message
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, MAX_SAID_CHARS)
  return new SondeError(
    'unavailable',
    `The language model did not answer: ${what}${said === '' ? '.' : `: ${said}`}`,
    {
      operation: 'ask a language model',
    },
  )
}

const ERROR = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
