import type { NormalizedEvent, RequestInfo, UserInfo } from '@sonde/protocol/event'
import type { Mutable } from '../normalize/read.ts'

const IP_HEADERS = new Set([
  'X-Forwarded-For',
  'X-Real-Ip',
  'X-Client-Ip',
  'X-Cluster-Client-Ip',
  'Forwarded',
  'Forwarded-For',
  'Client-Ip',
  'Cf-Connecting-Ip',
  'True-Client-Ip',
  'Fastly-Client-Ip',
])

/** Takes the user's address out of every place that is known to hold it. */
export function scrubIpAddresses(event: NormalizedEvent): NormalizedEvent {
  const out: Mutable<NormalizedEvent> = { ...event }
  if (event.user) {
    const user: Mutable<UserInfo> = { ...event.user }
    delete user.ip_address
    out.user = user
    if (Object.keys(user).length === 0) delete out.user
  }
  if (event.request) out.request = requestWithout(event.request)
  return out
}

function requestWithout(request: RequestInfo): RequestInfo {
  const out: Mutable<RequestInfo> = { ...request }
  if (request.env && 'REMOTE_ADDR' in request.env) {
    const { REMOTE_ADDR: _, ...env } = request.env
    out.env = env
  }
  if (request.headers) out.headers = request.headers.filter(([name]) => !IP_HEADERS.has(name))
  return out
}
