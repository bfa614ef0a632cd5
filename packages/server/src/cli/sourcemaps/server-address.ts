/** Which Sonde is asked, and with which token: from options, the environment, and the token itself. */
import { SondeError } from '@sonde/base'

export type Server = {
  /** Without a trailing slash. */
  readonly url: string
  readonly org: string
  readonly token: string
}

type Given = {
  readonly text: (name: string) => string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Options win over the environment (`SONDE_…`, then the names that Sentry's tools read), both over what the token says.
 * Undefined: there is no token, so no server is asked. @throws SondeError `config`
 */
export function findServer({ text, env }: Given): Server | undefined {
  const from = (option: string, name: string): string | undefined =>
    [text(option), env[`SONDE_${name}`], env[`SENTRY_${name}`]].find(
      (value) => value !== undefined && value !== '',
    )
  const token = from('token', 'AUTH_TOKEN')
  if (token === undefined) return undefined
  const said = tokenFacts(token)
  const url = from('url', 'URL') ?? said.url
  const org = from('org', 'ORG') ?? said.org
  if (url === undefined) throw missing('--url', 'the address of your Sonde, such as https://sonde.example')
  if (org === undefined) throw missing('--org', 'the organisation as it stands in the addresses of Sonde')
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw missing('--url', `"${url}" is no address`)
  if (said.org !== undefined && org !== said.org)
    throw missing('--org', `the token is of the organisation ${said.org}, not of ${org}`)
  return { url: url.replace(/(?<!\/)\/+$/, ''), org, token }
}

/** `sntrys_<base64 of JSON>_<secret>`: says whose it is and where it was made. */
function tokenFacts(token: string): { readonly url: string | undefined; readonly org: string | undefined } {
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

const missing = (option: string, what: string): SondeError =>
  new SondeError('config', `${option}: ${what}`, { operation: 'find the server', subject: option })
