/**
 * What a SAML provider says of itself, as owners paste it or as it lies at an address
 * (https://docs.oasis-open.org/security/saml/v2.0/saml-metadata-2.0-os.pdf).
 */
import { SsoRefusal } from './provider.ts'
import { readCertificate, type SamlSettings } from './saml.ts'
import { readXml } from './strict-xml.ts'

/** Those of large providers have some 100 kB. */
export const METADATA_MAX_CHARS = 512 * 1024
const MD = 'urn:oasis:names:tc:SAML:2.0:metadata'
const DS = 'http://www.w3.org/2000/09/xmldsig#'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const MAX_CERTIFICATES = 10

/** Throws `SsoRefusal`, in words for owners. */
export function readProviderMetadata(
  xml: string,
): Pick<SamlSettings, 'entityId' | 'signInUrl' | 'certificates'> {
  const wrong = (message: string, cause?: unknown) => new SsoRefusal('unreachable', message, cause)
  if (xml.length > METADATA_MAX_CHARS) throw wrong(`metadata has at most ${METADATA_MAX_CHARS} characters`)
  if (/<!doctype html/i.test(xml)) throw wrong('this is a web page, not metadata')
  const entities = Array.from(readXml(xml, wrong).getElementsByTagNameNS(MD, 'EntityDescriptor'))
  const [entity] = entities
  if (!entity) throw wrong('this is not the metadata of a SAML provider: there is no EntityDescriptor in it')
  if (entities.length > 1)
    throw wrong('this is the metadata of several providers: take the one of yours out of it')
  const [role] = Array.from(entity.getElementsByTagNameNS(MD, 'IDPSSODescriptor'))
  if (!role) throw wrong('this is the metadata of an application: the one of the identity provider is needed')
  const services = Array.from(role.getElementsByTagNameNS(MD, 'SingleSignOnService'))
  const service = services.find((each) => each.getAttribute('Binding') === REDIRECT)
  const signInUrl = service?.getAttribute('Location') ?? ''
  if (!/^https?:\/\//.test(signInUrl)) throw wrong('the provider offers no sign-in with HTTP-Redirect')
  const keys = Array.from(role.getElementsByTagNameNS(MD, 'KeyDescriptor')).filter(
    (each) => each.getAttribute('use') !== 'encryption',
  )
  const certificates = keys
    .flatMap((key) => Array.from(key.getElementsByTagNameNS(DS, 'X509Certificate')))
    .slice(0, MAX_CERTIFICATES)
    .map((each) => readCertificate(each.textContent ?? '').pem)
  if (certificates.length === 0) throw wrong('the metadata holds no certificate to check signatures with')
  return {
    entityId: entity.getAttribute('entityID') ?? '',
    signInUrl,
    certificates: [...new Set(certificates)],
  }
}
