/** What a standalone span says about its page or service: its attributes, then the envelope, then the request. */
import type { JsonObject, NormalizedEvent } from '@sonde/protocol/event'
import { deriveTags, userKeyOf } from '../normalize/index.ts'
import { lenientNumber } from '../normalize/read-fields.ts'
import { headerOf } from '../normalize/request.ts'
import { deviceClass, parseUserAgent } from '../normalize/user-agent.ts'
import type { EnvelopeFacts } from '../stages/event-input.ts'
import { type Attributes, numberOf, RELEASE_ATTRIBUTES, textOf } from './attributes.ts'
import type { SpanFacts } from './span.ts'

export function factsOfAttributes(attributes: Readonly<Attributes>, envelope: EnvelopeFacts): SpanFacts {
  const trace = (key: string): string => {
    const value = envelope.trace?.[key]
    return typeof value === 'string' ? value : ''
  }
  const [clientName = '', clientVersion = ''] = envelope.sdkClient?.split('/') ?? []
  const platform =
    textOf(attributes, 'sentry.platform') ||
    platformOf(textOf(attributes, 'telemetry.sdk.language')) ||
    (isPage(attributes) ? 'javascript' : '')
  const agentText =
    textOf(attributes, 'user_agent.original', 'browser.user_agent', 'http.user_agent') ||
    (platform === 'javascript' ? (envelope.userAgent ?? '') : '')
  const agent = agentText === '' ? {} : parseUserAgent(agentText)
  return {
    release: textOf(attributes, ...RELEASE_ATTRIBUTES) || trace('release'),
    environment:
      textOf(
        attributes,
        'sentry.environment',
        'environment',
        'deployment.environment.name',
        'deployment.environment',
      ) || trace('environment'),
    segmentName:
      textOf(attributes, 'sentry.segment.name', 'sentry.transaction', 'transaction') || trace('transaction'),
    platform,
    sdkName:
      textOf(attributes, 'sentry.sdk.name') ||
      envelope.sdk?.name ||
      clientName ||
      textOf(attributes, 'telemetry.sdk.name'),
    sdkVersion:
      textOf(attributes, 'sentry.sdk.version') ||
      envelope.sdk?.version ||
      clientVersion ||
      textOf(attributes, 'telemetry.sdk.version'),
    userKey: userKey(attributes),
    browser: textOf(attributes, 'browser.name') || nameOf(agent.browser),
    os: textOf(attributes, 'os.name') || nameOf(agent.os),
    device: deviceClass(agentText),
    country: textOf(attributes, 'user.geo.country_code').slice(0, 2).toUpperCase(),
    connection: connectionOf(attributes),
    sampleRate: sampleRateOf(numberOf(attributes, 'sentry.sample_rate') ?? Number(trace('sample_rate'))),
  }
}

/** OpenTelemetry's word for a language, where events have another. */
const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['nodejs', 'node'],
  ['webjs', 'javascript'],
  ['dotnet', 'csharp'],
  ['cpp', 'native'],
  ['swift', 'cocoa'],
  ['erlang', 'elixir'],
])
const platformOf = (language: string): string => LANGUAGES.get(language) ?? language

/** Spans of browsers that do not say so: page loads, navigations, vitals, what a page fetched. */
function isPage(attributes: Readonly<Attributes>): boolean {
  return /^(?:pageload|navigation|ui\.|browser|resource)/.test(textOf(attributes, 'sentry.op'))
}

function connectionOf(attributes: Readonly<Attributes>): string {
  return textOf(
    attributes,
    'network.connection.effective_type',
    'effectiveConnectionType',
    'network.connection.type',
    'connectionType',
  )
}

/** Outside of (0, 1] nothing can be counted up: then each counts as one. */
function sampleRateOf(rate: number): number {
  return rate > 0 && rate <= 1 ? rate : 1
}

function userKey(attributes: Readonly<Attributes>): string {
  const id = textOf(attributes, 'user.id', 'enduser.id')
  if (id !== '') return `id:${id}`
  const name = textOf(attributes, 'user.username', 'user.name')
  if (name !== '') return `username:${name}`
  const email = textOf(attributes, 'user.email')
  if (email !== '') return `email:${email}`
  // A standalone vital has only this: an id, an address of mail or of the network.
  const any = textOf(attributes, 'user')
  if (any !== '') return any.includes('@') ? `email:${any}` : `id:${any}`
  const ip = textOf(attributes, 'user.ip_address', 'client.address')
  return ip === '' || ip.startsWith('{{') ? '' : `ip:${ip}`
}

function nameOf(context: JsonObject | undefined): string {
  const name = context?.['name']
  return typeof name === 'string' ? name : ''
}

/** What a transaction says about its page or service: the same tags that errors have, so that filters mean the same. */
export const UNNAMED = '<unlabeled transaction>'

export function factsOfEvent(
  event: NormalizedEvent,
  segment: Readonly<Attributes>,
  trace: { readonly [key: string]: unknown } | undefined,
): SpanFacts {
  const tags = deriveTags(event)
  const userAgent = headerOf(event.request?.headers, 'User-Agent') ?? ''
  const country = event.user?.geo?.['country_code']
  const rate = lenientNumber(trace?.['sample_rate'] ?? event.contexts?.['trace']?.['client_sample_rate'])
  return {
    release: event.release ?? '',
    environment: event.environment ?? '',
    segmentName: event.transaction ?? UNNAMED,
    platform: event.platform,
    sdkName: event.sdk?.name ?? '',
    sdkVersion: event.sdk?.version ?? '',
    userKey: userKeyOf(event.user) ?? '',
    browser: tags['browser.name'] ?? '',
    os: tags['os.name'] ?? '',
    device: deviceClass(userAgent),
    country: typeof country === 'string' ? country.slice(0, 2).toUpperCase() : '',
    connection: connectionOf(segment),
    sampleRate: sampleRateOf(rate),
  }
}
