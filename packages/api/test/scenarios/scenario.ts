import { PUBLIC_URL } from '../harness.ts'

/** One request and what must come of it. */
export type Scenario = {
  readonly name: string
  /** Who asks: a key of `callers` below. */
  readonly as: string
  readonly method?: string
  /** `{project}`, `{issue}`, `{event}`, `{other-issue}`, `{other-event}` are filled in. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
  readonly has?: readonly string[]
  readonly hasNot?: readonly string[]
}

export const SAME_ORIGIN = { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }
export const HTML = '<script>alert(1)</script>\u202E'
