/** Stands before every door: what no part of Sonde takes is refused here, and nothing after it on that connection is heard. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRefused, refuse, type Refused } from './refuse.ts'
import { requestRefusal } from './request-rules.ts'

export type GateRule = (req: IncomingMessage) => Refused | undefined
type Handler = (req: IncomingMessage, res: ServerResponse) => void

export function createGate(next: Handler): Handler {
  return (req, res) => {
    if (isRefused(req)) return void req.resume()
    const refusal = requestRefusal(req)
    if (refusal) return refuse(req, res, refusal)
    next(req, res)
  }
}
