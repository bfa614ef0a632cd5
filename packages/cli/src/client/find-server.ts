/** Which Sonde is asked, and with which token: from options, the environment, and the token itself. */
import { SondeError } from '@sonde/base/errors'

export type Server = {
  /** Without a trailing slash. */
  readonly url: string
  readonly org: string
  readonly token: string
}

export type Given = {
  readonly text: (name: string) => string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What was given, wherever: options win over the environment (`SONDE_…`, then the names that Sentry's tools read). */
export function given({ text, env }: Given, option: string, name: string): string | undefined {
  return [text(option), env[`SONDE_${name}`], env[`SENTRY_${name}`]].find(
    (value) => value !== undefined && value !== '',
  )
}

/** What was given wins over what the token says. Undefined: there is no token, so no server is asked. @throws SondeError `config` */
export function findServer(from: Given): Server | undefined {
  const token = given(from, 'token', 'AUTH_TOKEN')
  if (token === undefined) return undefined
  const said = tokenFacts(token)
  const url = given(from, 'url', 'URL') ?? said.url
  const org = given(from, 'org', 'ORG') ?? said.org
  if (url === undefined) throw missing('--url', 'the address of your Sonde, such as https://sonde.example')
  if (org === undefined) throw missing('--org', 'the slug of the organization, as in the URLs of Sonde')
  checkOrg(org, said.org)
  return { url: plainAddress(url), org, token }
}

/** @throws SondeError `config` when the token is of another organization. */
export function checkOrg(org: string, ofToken: string | undefined): void {
  if (ofToken !== undefined && org !== ofToken)
    throw missing('--org', `the token is of the organization ${ofToken}, not of ${org}`)
}

/** Without what stands behind it: `https://sonde.example/` → `https://sonde.example`. @throws SondeError `config` */
export function plainAddress(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw missing('--url', `"${url}" is no address`)
  return url.replace(/(?<!\/)\/+$/, '')
}

/** `sntrys_<base64 of JSON>_<secret>`: says whose it is and where it was made. */
export function tokenFacts(token: string): {
  readonly url: string | undefined
  readonly org: string | undefined
} {
  const [prefix, payload = '', secret] = token.split('_')
  const nothing = { url: undefined, org: undefined }
  if (prefix !== 'sntrys' || secret === undefined) return nothing
  try {
    const facts = JSON.parse(Buffer.from(payload, 'base64').toString()) as Record<string, unknown>
    const { url, org } = facts
    return { url: textOf(url), org: textOf(org) }
  } catch {
    return nothing
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const missing = (option: string, what: string): SondeError =>
  new SondeError('config', `${option}: ${what}`, { operation: 'find the server', subject: option })
