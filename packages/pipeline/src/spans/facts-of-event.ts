/** What a transaction says about its page or service: the same tags that errors have, so that filters mean the same. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { deriveTags, userKeyOf } from '../normalize/index.ts'
import { headerOf } from '../normalize/headers.ts'
import { connectionOf, sampleRateOf } from './facts-of-attributes.ts'
import type { Attributes } from './attributes.ts'
import { deviceClass } from './device-class.ts'
import type { SpanFacts } from './span.ts'

export const UNNAMED = '<unlabeled transaction>'

export function factsOfEvent(
  event: NormalizedEvent,
  segment: Readonly<Attributes>,
  trace: { readonly [key: string]: unknown } | undefined,
): SpanFacts {
  const tags = deriveTags(event)
  const userAgent = headerOf(event.request?.headers, 'User-Agent') ?? ''
  const country = event.user?.geo?.['country_code']
  const rate = Number(trace?.['sample_rate'] ?? event.contexts?.['trace']?.['client_sample_rate'])
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
