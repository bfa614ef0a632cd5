/** Addresses as the tables of this folder name them, and how they are asked for. */
export type Names = Readonly<Record<string, string>>

export type Address = {
  readonly kind: 'page' | 'api'
  readonly method: string
  /** `/[org]/[project]/issues` or `/organizations/:org/issues`. */
  readonly template: string
  readonly query?: Names
  readonly form?: Names
  readonly json?: (names: Names) => object
  /** A file in the form, by which a part of a release or a chunk is sent. */
  readonly file?: { readonly name: string; readonly content: string }
  /** Of A's own owner; a redirect too is an answer of somebody who may. */
  readonly status?: number
  /** Instead of what the others name. */
  readonly names?: Names
  /** Of the API, and for who is signed in alone: no token may. */
  readonly bySession?: true
  /** Ends after its first bytes. */
  readonly isStream?: boolean
}

/** Placeholders `{issue}` stand for names. */
export const filled = (texts: Names | undefined, names: Names): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts ?? {}).map(([name, text]) => [
      name,
      text.replace(/\{(\w+)\}/g, (_whole, key: string) => named(names, key)),
    ]),
  )

export function pathOf(template: string, names: Names): string {
  return template.replace(/\[(\w+)\]|:(\w+)|\*$/g, (whole, page?: string, api?: string) =>
    whole === '*' ? 'anything' : encodeURIComponent(named(names, page ?? api ?? '')),
  )
}

export const paramsOf = (template: string): readonly string[] =>
  [...template.matchAll(/\[(\w+)\]|:(\w+)/g)].map(([, page, api]) => page ?? api ?? '')

function named(names: Names, key: string): string {
  const value = names[key]
  if (value === undefined) throw new Error(`nothing is called ${key}`)
  return value
}

export type Asker = { readonly url: string; readonly headers: Readonly<Record<string, string>> }
export type Answer = {
  readonly status: number
  readonly location: string
  /** One byte a character. */
  readonly text: string
  readonly headers: Pick<Headers, 'get'>
}

export async function ask(
  { url, headers }: Asker,
  address: Address,
  given: Names,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const names = { ...given, ...filled(address.names, given) }
  const place = pathOf(address.template, names)
  const path = address.kind === 'page' ? place : `/api/0${place}${place.endsWith('/') ? '' : '/'}`
  const query = new URLSearchParams(filled(address.query, names)).toString()
  const body = bodyOf(address, names)
  const answer = await fetch(`${url}${path}${query && `?${query}`}`, {
    method: address.method,
    redirect: 'manual',
    headers: {
      ...headers,
      ...more,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(60_000),
  })
  let text = ''
  if (address.isStream === true && answer.status === 200) {
    await answer.body?.cancel()
  } else text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  const { status, headers: sent } = answer
  return { status, location: sent.get('location') ?? '', text, headers: sent }
}

function bodyOf(address: Address, names: Names): FormData | URLSearchParams | string | undefined {
  if (address.json) return JSON.stringify(address.json(names))
  if (address.form === undefined && address.file === undefined) return undefined
  const fields = filled(address.form, names)
  if (!address.file) return new URLSearchParams(fields)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([address.file.content]), address.file.name)
  return form
}
