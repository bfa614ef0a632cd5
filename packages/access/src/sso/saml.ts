/**
 * SAML 2.0 as a service provider: the request by redirect, the answer by POST
 * (https://docs.oasis-open.org/security/saml/v2.0/saml-profiles-2.0-os.pdf, section 4.1). Signatures and the reading of what
 * they cover are `@node-saml/node-saml`'s; what the profile asks of a bearer assertion besides is checked here, on the signed
 * bytes alone: issuer, recipient, time, and which request it answers.
 */
import { X509Certificate } from 'node:crypto'
import type { SAML as NodeSaml, Profile } from '@node-saml/node-saml'
import { CLOCK_SKEW_SEC, personFrom, type SsoPerson, SsoRefusal } from './provider.ts'
import { readXml } from './strict-xml.ts'

export type SamlSettings = {
  /** The provider's, as it stands in its assertions. */
  readonly entityId: string
  readonly signInUrl: string
  /** PEM: those that it signs with. Two while it changes from one to the next. */
  readonly certificates: readonly string[]
  /** Names of attributes; empty: the usual ones. */
  readonly emailAttribute: string
  readonly nameAttribute: string
  readonly groupsAttribute: string
  /** Whether who begins at the provider is sent back to it with a request; otherwise they are told to begin here. */
  readonly allowsProviderStart: boolean
}

export type SamlProvider = {
  readonly settings: SamlSettings
  /** Our own: the address of our metadata. */
  readonly entityId: string
  /** Where the provider posts to. */
  readonly acsUrl: string
}

export type SamlAnswer = {
  readonly person: SsoPerson
  /** The id of the request that it answers; undefined: the provider sent it unasked. */
  readonly inResponseTo: string | undefined
  readonly assertionId: string
  /** From then on the assertion is refused for its time, so nobody need remember it longer. */
  readonly untilMs: number
}

/** Base64 of an answer. With 1,000 groups it has some 150 kB. */
const SAML_MAX_CHARS = 256 * 1024
const SKEW_MS = CLOCK_SKEW_SEC * 1000
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
/** https://www.w3.org/TR/xmldsig-core1/#sec-SignatureAlg: no longer safe against forgery. */
const SHA1 = /xmldsig#(?:rsa-|dsa-|hmac-)?sha1/

const EMAIL_NAMES = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const NAME_NAMES = [
  'name',
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
]
const GROUP_NAMES = [
  'groups',
  'memberOf',
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
  'http://schemas.xmlsoap.org/claims/Group',
]

async function open({ settings, entityId, acsUrl }: SamlProvider): Promise<NodeSaml> {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml')
  return new SAML({
    issuer: entityId,
    audience: entityId,
    callbackUrl: acsUrl,
    entryPoint: settings.signInUrl,
    idpCert: [...settings.certificates],
    // One of the two has to be signed, and only what is signed is read.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    // The browser that asked knows the id; it is compared when it comes back.
    validateInResponseTo: ValidateInResponseTo.never,
    acceptedClockSkewMs: SKEW_MS,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
  })
}

/** Where the browser goes, and the id that the answer has to name. */
export async function beginSaml(
  provider: SamlProvider,
): Promise<{ readonly location: string; readonly requestId: string }> {
  const saml = await open(provider)
  let requestId = ''
  const make = saml.options.generateUniqueId
  saml.options.generateUniqueId = () => (requestId = make())
  const location = await saml.getAuthorizeUrlAsync('', undefined, {})
  return { location, requestId }
}

/** What providers read to know us. */
export async function samlMetadata(provider: Omit<SamlProvider, 'settings'>): Promise<string> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  return generateServiceProviderMetadata({
    issuer: provider.entityId,
    callbackUrl: provider.acsUrl,
    identifierFormat: null,
    wantAssertionsSigned: true,
  })
}

/** `response`: the field `SAMLResponse`, as it was posted. By whoever: throws `SsoRefusal` for what proves nothing. */
export async function takeSaml(provider: SamlProvider, response: string, nowMs: number): Promise<SamlAnswer> {
  if (response.length > SAML_MAX_CHARS)
    throw new SsoRefusal('wrong-proof', `the answer has more than ${SAML_MAX_CHARS} characters`)
  const xml = Buffer.from(response, 'base64').toString('utf8')
  readXml(xml, (message, cause) => new SsoRefusal('wrong-proof', message, cause))
  if (SHA1.test(xml))
    throw new SsoRefusal('wrong-proof', 'the answer is signed with SHA-1: set the provider to SHA-256')
  const saml = await open(provider)
  let profile: Profile | null
  try {
    profile = (await saml.validatePostResponseAsync({ SAMLResponse: response })).profile
  } catch (error) {
    throw refusalOf(error)
  }
  const read = profile?.getAssertion?.() as { Assertion?: Assertion } | undefined
  if (!read?.Assertion) throw new SsoRefusal('wrong-proof', 'the answer holds no signed assertion')
  return answerOf(provider, read.Assertion, nowMs)
}

/** As `xml2js` gives it: attributes in `$`, text in `_`, every element a list. */
type Element = { readonly $?: Readonly<Record<string, string>>; readonly _?: string }
type Assertion = Element & {
  readonly Issuer?: readonly Element[]
  readonly Subject?: readonly {
    readonly NameID?: readonly Element[]
    readonly SubjectConfirmation?: readonly (Element & {
      readonly SubjectConfirmationData?: readonly Element[]
    })[]
  }[]
  readonly AttributeStatement?: readonly {
    readonly Attribute?: readonly (Element & { readonly AttributeValue?: readonly (Element | string)[] })[]
  }[]
}

function answerOf(provider: SamlProvider, assertion: Assertion, nowMs: number): SamlAnswer {
  const { settings, acsUrl } = provider
  const issuer = assertion.Issuer?.[0]?._?.trim()
  if (issuer !== settings.entityId)
    throw new SsoRefusal(
      'wrong-proof',
      `the assertion was issued by ${issuer?.slice(0, 300)}, not by ${settings.entityId}`,
    )
  const assertionId = assertion.$?.['ID'] ?? ''
  const [subject] = assertion.Subject ?? []
  if (assertionId === '' || !subject)
    throw new SsoRefusal('wrong-proof', 'the assertion has no ID or no subject')
  const confirmed = confirmedBy(subject.SubjectConfirmation ?? [], acsUrl, nowMs)
  const attributes = attributesOf(assertion)
  const first = (name: string, usual: readonly string[]): readonly string[] | undefined =>
    (name === '' ? usual : [name]).map((each) => attributes.get(each)).find((each) => each !== undefined)
  const nameId = subject.NameID?.[0]
  const isMailId = nameId?.$?.['Format'] === 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
  const email = first(settings.emailAttribute, EMAIL_NAMES)?.[0] ?? (isMailId ? nameId._ : undefined)
  return {
    person: personFrom({
      subject: nameId?._,
      email,
      // The provider signs it; that the domain is the organization's is asked where the person is let in.
      isEmailVerified: true,
      name: first(settings.nameAttribute, NAME_NAMES)?.[0],
      groups: first(settings.groupsAttribute, GROUP_NAMES),
    }),
    inResponseTo: confirmed.inResponseTo,
    assertionId,
    untilMs: confirmed.untilMs + SKEW_MS,
  }
}

type Confirmation = NonNullable<NonNullable<Assertion['Subject']>[number]['SubjectConfirmation']>[number]

/** Section 4.1.4.2 of the profiles: one of them has to be for us and for now. */
function confirmedBy(
  confirmations: readonly Confirmation[],
  acsUrl: string,
  nowMs: number,
): { readonly inResponseTo: string | undefined; readonly untilMs: number } {
  const bearers = confirmations
    .filter(({ $ }) => $?.['Method'] === BEARER)
    .map(({ SubjectConfirmationData: data }) => data?.[0]?.$ ?? {})
  const ours = bearers.filter(({ Recipient }) => Recipient === acsUrl)
  const [oneOfOurs] = ours
  if (!oneOfOurs)
    throw new SsoRefusal(
      'wrong-proof',
      `the assertion is for ${bearers[0]?.['Recipient']?.slice(0, 300)}, not for ${acsUrl}`,
    )
  const living = ours.find(({ NotOnOrAfter = '', NotBefore }) => {
    const isBegun = NotBefore === undefined || Date.parse(NotBefore) - SKEW_MS <= nowMs
    return isBegun && Date.parse(NotOnOrAfter) + SKEW_MS > nowMs
  })
  if (!living) throw new SsoRefusal('wrong-time', 'the assertion is not valid now: compare the clocks')
  const inResponseTo = living['InResponseTo']
  return {
    inResponseTo: inResponseTo === '' ? undefined : inResponseTo,
    untilMs: Date.parse(living['NotOnOrAfter'] ?? ''),
  }
}

function attributesOf({ AttributeStatement: statements = [] }: Assertion): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { $, AttributeValue: values = [] } of statements.flatMap(({ Attribute }) => Attribute ?? [])) {
    const texts = values.map((value) => (typeof value === 'string' ? value : (value._ ?? '')).trim())
    const name = $?.['Name'] ?? ''
    found.set(name, [...(found.get(name) ?? []), ...texts.filter((text) => text !== '')])
  }
  return found
}

const TIME = /expired|not yet valid/i

function refusalOf(error: unknown): SsoRefusal {
  const message = error instanceof Error ? error.message.slice(0, 300) : 'it cannot be read'
  if (error instanceof Error && error.message.startsWith('SAML provider returned')) {
    const isDenied = /RequestDenied|AuthnFailed/.test(error.message)
    return new SsoRefusal(isDenied ? 'denied' : 'provider-error', message, error)
  }
  const reason = TIME.test(message) ? 'wrong-time' : 'wrong-proof'
  return new SsoRefusal(reason, `the provider's answer is not valid: ${message}`, error)
}

/** Throws `SsoRefusal` for what is no certificate. */
export function readCertificate(text: string): { readonly pem: string; readonly untilMs: number } {
  const base64 = text.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----|\s/g, '')
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'))
    return { pem: certificate.toString(), untilMs: Date.parse(certificate.validTo) }
  } catch (error) {
    throw new SsoRefusal('wrong-proof', 'this is not a certificate in PEM or base64', error)
  }
}
