/**
 * A SAML 2.0 provider on this machine (`samlp`), with people, groups and a page that asks who one is. It answers what it is asked
 * by posting to the address that it knows; `answer` makes any answer, also one that should not be taken.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import samlp, { type SamlOptions } from 'samlp'

export type SamlUser = {
  readonly email?: string
  readonly name?: string
  readonly groups?: readonly string[]
}
export type SamlKeys = { readonly key: string; readonly cert: string }

/** A key and a certificate that it signed itself. */
export async function newKeys(): Promise<SamlKeys> {
  const dir = await mkdtemp(join(tmpdir(), 'saml-'))
  try {
    const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=provider']
    await promisify(execFile)('openssl', [...args, '-keyout', key, '-out', cert])
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  } finally {
    await rm(dir, { recursive: true })
  }
}

export type SamlServer = {
  readonly entityId: string
  readonly metadata: () => string
  readonly people: Map<string, SamlUser>
  readonly keys: SamlKeys
  /** XML of an answer about this person, signed as told. */
  answer(id: string, options?: Partial<SamlOptions>): Promise<string>
  close(): Promise<void>
}

/** `here`: where it posts to, and for whom its assertions are. */
export async function startSamlServer(here: {
  readonly acs: string
  readonly metadata: string
}): Promise<SamlServer> {
  const keys = await newKeys()
  const people = new Map<string, SamlUser>()
  const page = async (url: URL): Promise<string> => {
    const query = Object.fromEntries(url.searchParams)
    const { SAMLRequest: asked = '', login } = query
    if (login === undefined)
      return `<!doctype html><html lang="en"><title>Provider</title><main><h1>Provider</h1>
        <form action="/sso" method="get"><input type="hidden" name="SAMLRequest" value="${asked.replaceAll('"', '')}">
        <label>Name <input name="login"></label><button>Sign in</button></form></main>`
    const id = await new Promise<string | undefined>((resolve, reject) =>
      samlp.parseRequest({ query, method: 'GET' }, (error, read) =>
        error ? reject(error) : resolve(read?.id),
      ),
    )
    const xml = await provider.answer(login, id === undefined ? {} : { inResponseTo: id })
    return `<!doctype html><html lang="en"><title>Provider</title><body onload="document.forms[0].submit()">
      <form action="${here.acs}" method="post">
      <input type="hidden" name="SAMLResponse" value="${Buffer.from(xml).toString('base64')}">
      <button>Continue</button></form></body>`
  }
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', entityId)
    if (url.pathname === '/metadata') res.end(metadata())
    else
      page(url).then(
        (html) => res.writeHead(200, { 'content-type': 'text/html' }).end(html),
        (error: unknown) => res.writeHead(400).end(String(error)),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const entityId = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const metadata = (): string =>
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${keys.cert.replaceAll(/-----[^-]+-----|\s/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${entityId}/sso"/></IDPSSODescriptor></EntityDescriptor>`
  const provider: SamlServer = {
    entityId,
    metadata,
    people,
    keys,
    answer: (id, options = {}) =>
      new Promise((resolve, reject) => {
        const { email, name, groups } = people.get(id) ?? {}
        const profileMapper = () => ({
          getClaims: () => ({
            ...(email !== undefined && { email }),
            ...(name !== undefined && { displayName: name }),
            ...(groups && { groups: [...groups] }),
          }),
          getNameIdentifier: () => ({
            nameIdentifier: id,
            nameIdentifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
          }),
        })
        const usual = {
          issuer: entityId,
          ...keys,
          audience: here.metadata,
          recipient: here.acs,
          destination: here.acs,
          lifetimeInSeconds: 300,
          signatureAlgorithm: 'rsa-sha256',
          digestAlgorithm: 'sha256',
          profileMapper,
        }
        samlp.getSamlResponse({ ...usual, ...options }, { id }, (error, xml) =>
          error ? reject(error) : resolve(xml),
        )
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return provider
}
