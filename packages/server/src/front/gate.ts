/** Stands before every door: what no part of Sonde takes is refused here, and nothing after it on that connection is heard. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRefused, refuse, type Refused } from './refuse.ts'
import { requestRefusal } from './request-rules.ts'

export type GateRule = (req: IncomingMessage) => Refused | undefined
type Handler = (req: IncomingMessage, res: ServerResponse) => void

/** `rules` in order, after those of framing; the first that refuses is told to the client. */
export function createGate(next: Handler, rules: readonly GateRule[] = []): Handler {
  const all = [requestRefusal, ...rules]
  return (req, res) => {
    if (isRefused(req)) return void req.resume()
    for (const rule of all) {
      const refusal = rule(req)
      if (refusal) return refuse(req, res, refusal)
    }
    next(req, res)
  }
}
