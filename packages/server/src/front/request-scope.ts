/**
 * Gives every request at the public port an id: whoever got an answer can quote its `x-request-id`, and every line that the
 * request made in the log, in both processes, has it.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { currentScope, inScope } from '@sonde/base'
import type { ProxyTrust } from '@sonde/ingest'

/** What proxies make: UUIDs, hexadecimal numbers, ids of a cloud. Nothing that means something in a log or a header. */
const WELL_FORMED = /^[\w.:=-]{8,128}$/

type Trust = Pick<ProxyTrust, 'isProxy'>

/** Runs `next` within the scope of the request. */
export function createRequestScopes(trust: Trust) {
  return (req: IncomingMessage, next: () => void): void =>
    inScope({ requestId: requestIdOf(req, trust) }, next)
}

/** That of a proxy of the operator's, whose log has it too; what anybody else writes there could be another request's. */
function requestIdOf(req: IncomingMessage, trust: Trust): string {
  const given = req.headers['x-request-id']
  if (typeof given === 'string' && WELL_FORMED.test(given) && trust.isProxy(req)) return given
  // Of the form of a trace id, and quickly made: node keeps random bytes in stock for it.
  return randomUUID().replaceAll('-', '')
}

export function tellRequestId(res: ServerResponse): void {
  const requestId = currentScope()?.requestId
  if (requestId !== undefined) res.setHeader('x-request-id', requestId)
}
