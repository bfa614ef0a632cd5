/**
 * `POST /monitoring?o=&p=&r=` (facts R1, R2): the same-origin path that ad blockers let through. The DSN
 * is in the envelope header and only says which key of ours is meant; its host is never connected to.
 */
import { type Dsn, EnvelopeError, parseDsn, readEnvelopeHeader } from '@sonde/protocol'
import type { Answer } from '../http/answer.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { type EndpointHandler, receiveBody } from '../request-context.ts'
import { authenticateDsn, parseBody } from './envelope.ts'
import type { RegionRelay } from './region-relay.ts'
import { takeUnpacked } from './unreal.ts'

export type Regions = {
  /** `SONDE_REGION`: what `r` may say and mean this server. */
  readonly own: string | undefined
  readonly relay: RegionRelay
}

export function createTunnelEndpoint(regions: Regions): EndpointHandler {
  return async (tools, context): Promise<Answer> => {
    const params = new URLSearchParams(context.endpoint.query)
    const region = params.get('r') || undefined
    const isOurs = region === undefined || region === regions.own
    if (!isOurs && !regions.relay.knows(region))
      throw refuse(403, 'unknown_region', 'the region "r" is none that this server serves or relays to')

    const body = await receiveBody(tools, context, undefined)
    const dsn = readDsn(body)
    checkParameter('p', params, dsn.projectId)
    if (!isOurs) {
      if (dsn.orgId !== undefined) checkParameter('o', params, dsn.orgId)
      return regions.relay.send(region, dsn, body, context.req, tools.clientAddress(context.req))
    }
    const { auth, key } = await authenticateDsn(tools, context, dsn)
    checkParameter('o', params, String(key.orgId))
    const envelope = parseBody(body, tools.limits.itemsPerEnvelope)
    return takeUnpacked(tools, context, key, auth, envelope, body)
  }
}

function readDsn(body: Uint8Array): Dsn {
  let header: { readonly [field: string]: unknown }
  try {
    header = readEnvelopeHeader(body).header
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error
    throw refuse(400, 'bad_envelope', error.message, { causes: [error.code] })
  }
  if (header['dsn'] === undefined) throw refuse(400, 'missing_auth', 'the envelope header has no dsn')
  const dsn = parseDsn(header['dsn'])
  if (!dsn) throw refuse(400, 'bad_auth', 'the dsn of the envelope header is not a DSN')
  return dsn
}

/** Empty counts as absent: rewrites write `?o=&p=` when they do not know. */
function checkParameter(name: 'o' | 'p', params: URLSearchParams, expected: string): void {
  const value = params.get(name)
  if (!value || value.replace(/^0+(?=\d)/, '') === expected) return
  throw disagreement(name)
}

function disagreement(name: 'o' | 'p'): Refusal {
  const what = name === 'o' ? 'organization' : 'project'
  return refuse(
    400,
    'dsn_mismatch',
    `the parameter "${name}" names another ${what} than the dsn of the envelope`,
  )
}
