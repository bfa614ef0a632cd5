/** Notices that browsers come by TLS while Sonde was told otherwise: then cookies are not `Secure` and HSTS is missing. */
import type { IncomingMessage } from 'node:http'
import type { Logger } from '@sonde/base'
import type { PartReport } from '../doctor/report.ts'
import { CLIENT_PROTO } from '../internal/client-headers.ts'

export type TlsWatch = {
  /** Costs one look at a header. */
  see(req: IncomingMessage): void
  /** Undefined while nothing is wrong. */
  part(): PartReport | undefined
}

const DETAIL =
  'a proxy in front speaks TLS, and SONDE_PUBLIC_URL is not an https address: cookies are not Secure and HSTS is missing; set SONDE_PUBLIC_URL to what browsers use'

export function createTlsWatch(publicUrl: string, logger: Logger): TlsWatch {
  const isTold = publicUrl.startsWith('https:')
  let isSeen = false
  return {
    see({ headers }) {
      if (isTold || isSeen || headers[CLIENT_PROTO] !== 'https') return
      isSeen = true
      logger.warn({ publicUrl }, DETAIL)
    },
    part: () => (isSeen ? { name: 'public address', state: 'degraded', detail: DETAIL } : undefined),
  }
}
