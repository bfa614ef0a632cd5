/** Calls to the API. What failed keeps the answer's status; the page decides what to show. */
import { visitor } from './visitor.ts'

export type Product = {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly price: number
  readonly text: string
  readonly rating: number
  readonly ratings: number
  readonly care: { readonly material: string; readonly dishwasher: boolean }
}
export type Review = { readonly by: string; readonly stars: number; readonly text: string }
export type CartLine = {
  readonly id: string
  readonly name: string
  readonly price: number
  readonly count: number
}
export type Order = { readonly orderId: string; readonly total: number; readonly at?: string }

export class ApiError extends Error {
  readonly status: number
  constructor(method: string, path: string, status: number) {
    super(`${method} ${path.replace(/\/api\/products\/[^/]+/, '/api/products/:id')} answered ${status}`)
    this.name = 'ApiError'
    this.status = status
  }
}

async function call<T>(method: string, path: string, init: RequestInit = {}): Promise<T> {
  const known = visitor()
  const headers = {
    ...(known ? { 'x-visitor': known.id } : {}),
    ...(init.body ? { 'content-type': 'application/json' } : {}),
  }
  const answer = await fetch(path, { ...init, method, headers })
  if (!answer.ok) throw new ApiError(method, path, answer.status)
  return (await answer.json()) as T
}

/** Answers fetched ahead, each used once: a link that was pointed at is usually clicked within seconds. */
const ahead = new Map<string, { readonly atMs: number; readonly answer: Promise<unknown> }>()
export const AHEAD_FOR_MS = 20_000

/** Ends when the answer is there, or has failed. */
export async function fetchAhead(path: string): Promise<void> {
  const known = ahead.get(path)
  if (known && Date.now() - known.atMs < AHEAD_FOR_MS) return
  const answer = call('GET', path)
  ahead.set(path, { atMs: Date.now(), answer })
  await answer.catch(() => ahead.delete(path))
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const known = ahead.get(path)
  ahead.delete(path)
  if (known && Date.now() - known.atMs < AHEAD_FOR_MS) return known.answer as Promise<T>
  return call<T>('GET', path, signal ? { signal } : {})
}

export const post = <T>(path: string, body: unknown): Promise<T> =>
  call<T>('POST', path, { body: JSON.stringify(body) })

export const euros = (cents: number): string =>
  new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' }).format(cents / 100)
