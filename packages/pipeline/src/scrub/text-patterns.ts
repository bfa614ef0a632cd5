/** Secrets that are known by their own shape. Every pattern is linear in the length of the text. */
import { FILTERED } from './settings.ts'

const SSN = /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g
// A digit or padding is asked for: "basic authentication" is prose.
const BEARER = /\b(bearer|basic)( {1,4})(?=[^\s"',;]{0,4096}[\d=])[\w.~+/=-]{8,}/gi
const JWT_SHAPE = /^[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?$/
const TOKEN_END = /[^\w.-]/g

export function scrubSocialSecurity(text: string): string {
  return text.replaceAll(SSN, FILTERED)
}

export function scrubBearer(text: string): string {
  return text.replaceAll(BEARER, `$1$2${FILTERED}`)
}

/** JSON Web Tokens. Scanned by hand: a pattern would start over at every `eyJ` of a long hostile text. */
export function scrubJwt(text: string): string {
  let out = ''
  let from = 0
  for (let at = text.indexOf('eyJ'); at >= 0; at = text.indexOf('eyJ', at)) {
    TOKEN_END.lastIndex = at
    const end = TOKEN_END.exec(text)?.index ?? text.length
    if (JWT_SHAPE.test(text.slice(at, end))) {
      out += text.slice(from, at) + FILTERED
      from = end
    }
    at = end
  }
  return from === 0 ? text : out + text.slice(from)
}

/** `-----BEGIN … KEY-----` up to its end, or to the end of a text that was cut. Certificates are public and stay. */
export function scrubPem(text: string): string {
  let out = ''
  let from = 0
  for (let at = text.indexOf('-----BEGIN '); at >= 0; at = text.indexOf('-----BEGIN ', at)) {
    const nameEnd = text.indexOf('-----', at + 11)
    const name = text.slice(at + 11, nameEnd < 0 ? at + 60 : Math.min(nameEnd, at + 60))
    if (!name.includes('KEY')) {
      at += 11
      continue
    }
    const endMark = text.indexOf('-----END ', at + 11)
    const close = endMark < 0 ? -1 : text.indexOf('-----', endMark + 9)
    out += text.slice(from, at) + FILTERED
    from = close < 0 ? text.length : close + 5
    at = from
  }
  return from === 0 ? text : out + text.slice(from)
}

const AUTHORITY_END = /[/?#\s"'<>\\]/g

/** `scheme://user:pass@host` → `scheme://[Filtered]@host`. A user alone stays: that is what a DSN looks like. */
export function scrubUrlLogin(text: string): string {
  let out = ''
  let from = 0
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at)) {
    const start = at + 3
    AUTHORITY_END.lastIndex = start
    const end = AUTHORITY_END.exec(text)?.index ?? text.length
    const authority = text.slice(start, end)
    const login = authority.lastIndexOf('@')
    const colon = authority.indexOf(':')
    if (colon >= 0 && colon < login) {
      out += `${text.slice(from, start)}${FILTERED}`
      from = start + login
    }
    at = end
  }
  return from === 0 ? text : out + text.slice(from)
}
