/** The certificate that browsers and SDKs see at the public address, whoever ends TLS there: looked at from outside. */
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { PartReport } from './report.ts'

const DAY_MS = 86_400_000
/** ACME clients renew a month before the end, or a third of the lifetime of short ones: https://letsencrypt.org/docs/integration-guide/ */
const SOON_MS = 7 * DAY_MS
const WITHIN_MS = 3_000

/** Undefined: it is good for a while, there is none, or nobody answers there. */
export async function certificatePart(publicUrl: string, nowMs: number): Promise<PartReport | undefined> {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (protocol !== 'https:') return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  const endsMs = await endOfCertificate(host, port === '' ? 443 : Number(port))
  if (endsMs === undefined || endsMs - nowMs > SOON_MS) return undefined
  const day = new Date(endsMs).toISOString().slice(0, 10)
  const isOver = endsMs <= nowMs
  return {
    name: 'certificate',
    state: isOver ? 'down' : 'degraded',
    detail: `that of ${host} ${isOver ? `expired on ${day}: browsers and SDKs refuse to connect` : `expires on ${day}`}. Renew it where TLS ends (the proxy, or its ACME client), and see why it was not renewed.`,
  }
}

/** Whoever signed it: an end is one. */
function endOfCertificate(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const name = isIP(host) === 0 ? { servername: host } : {}
    const socket = connect({ host, port, ...name, rejectUnauthorized: false }, () => {
      const endsMs = Date.parse(socket.getPeerCertificate().valid_to)
      socket.destroy()
      resolve(Number.isNaN(endsMs) ? undefined : endsMs)
    })
    socket.setTimeout(WITHIN_MS, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(undefined))
  })
}
