/** Which request without an answer an event tells of. Pure. */
import type { GroupingTrace, NormalizedEvent } from '@sonde/protocol/event'

export type FailedRequest = {
  /** `GET /api/orders/[id]` */
  readonly endpoint: string
  /** Empty: unknown. */
  readonly route: string
  readonly cause: string
  /** The page made an error of its own of it. */
  readonly isWrapped: boolean
}

/** The reporter's word, else what grouping found. Undefined: the event is of no such request. */
export function failedRequestOf(
  event: Pick<NormalizedEvent, 'contexts'>,
  grouping: Pick<GroupingTrace, 'basis' | 'parts'> | undefined,
): FailedRequest | undefined {
  const told = event.contexts?.['page_data']
  const text = (name: string): string => {
    const value = told?.[name]
    return typeof value === 'string' ? value : ''
  }
  if (text('endpoint') !== '' && text('cause') !== '')
    return {
      endpoint: text('endpoint'),
      route: text('route'),
      cause: text('cause'),
      isWrapped: told?.['wrapped'] === true,
    }
  if (grouping?.basis !== 'request') return undefined
  const part = (name: string): string => grouping.parts.find(({ from }) => from === name)?.value ?? ''
  return { endpoint: part('endpoint'), route: part('route'), cause: part('cause'), isWrapped: false }
}

/** What the words of causes mean, and what to look at. */
export const CAUSES: Readonly<Record<string, { readonly what: string; readonly todo: string }>> = {
  offline: {
    what: 'The browser was offline.',
    todo: 'Nothing is wrong with the server. Show what is there already, and try again when the browser is online.',
  },
  unreachable: {
    what: 'The browser was online, and the own origin gave no answer.',
    todo: 'Compare with the server’s traces at this time: a restart, a proxy that cuts connections, or a poor network of the person.',
  },
  blocked: {
    what: 'Another origin: refused by CORS, stopped by a blocker, or not reachable. Browsers do not say which.',
    todo: 'Check Access-Control-Allow-Origin on errors too. If only some people are affected, it is a blocker: serve it from your own origin.',
  },
  aborted: {
    what: 'The page gave the request up.',
    todo: 'Usually nothing is wrong: leave AbortError out where you catch it.',
  },
  timeout: {
    what: 'The page’s own time limit ran out.',
    todo: 'The trace shows what the server did meanwhile.',
  },
}
