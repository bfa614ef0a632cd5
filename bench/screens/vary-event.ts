/**
 * Many events out of a few real ones: what the pipeline stored is taken as it is, and what differs from event to event
 * in an application (who, where, which release, which browser) is put in its place.
 */
import type { EventFields } from '@sonde/stores'

/** What changes; in this order in the text of the payload. */
export type Variation = {
  readonly eventId: string
  readonly timestampMs: number
  readonly receivedMs: number
  readonly logPosition: number
  readonly title: string
  readonly exceptionValue: string
  readonly culprit: string
  readonly hash: string
  readonly level: string
  readonly release: string
  readonly environment: string
  readonly browser: readonly [name: string, version: string]
  readonly os: string
  readonly userId: number
}

export type EventTemplate = {
  readonly exceptionType: string
  readonly platform: string
  fields(projectId: number, variation: Variation): EventFields
}

const SLOTS = ['eventId', 'atSec', 'value', 'title', 'culprit', 'level', 'release'] as const
const MORE_SLOTS = ['environment', 'browserName', 'browserVersion', 'os', 'userId', 'email', 'ip'] as const
type Slot = (typeof SLOTS)[number] | (typeof MORE_SLOTS)[number]
const placeOf = (slot: Slot): string => `@slot:${slot}@`
const PLACES = /"?@slot:(\w+)@"?/

type Json = Record<string, unknown>

/** `stored` is a row of `events`: the columns, and the payload's text. */
export function eventTemplate(stored: EventFields): EventTemplate {
  const event = JSON.parse(stored.payload) as Json
  const texts = JSON.stringify(withPlaces(event)).split(PLACES)
  return {
    exceptionType: stored.exceptionType,
    platform: stored.platform,
    fields(projectId, given) {
      const [browserName, browserVersion] = given.browser
      const email = `person${given.userId}@example.com`
      const values: Readonly<Record<Slot, unknown>> = {
        eventId: given.eventId,
        atSec: given.timestampMs / 1000,
        value: given.exceptionValue,
        title: given.title,
        culprit: given.culprit,
        level: given.level,
        release: given.release,
        environment: given.environment,
        browserName,
        browserVersion,
        os: given.os,
        email,
        userId: String(given.userId),
        ip: `10.${given.userId % 256}.3.${given.userId % 200}`,
      }
      // Every second part is the name of a slot.
      const payload = texts
        .map((text, index) => (index % 2 === 0 ? text : JSON.stringify(values[text as Slot])))
        .join('')
      return {
        ...stored,
        projectId,
        eventId: given.eventId,
        timestampMs: given.timestampMs,
        receivedMs: given.receivedMs,
        logPosition: given.logPosition,
        itemIndex: 0,
        title: given.title,
        culprit: given.culprit,
        exceptionValue: given.exceptionValue,
        level: given.level,
        release: given.release,
        environment: given.environment,
        userKey: `id:${given.userId}`,
        hashes: [given.hash],
        tags: {
          ...stored.tags,
          level: given.level,
          release: given.release,
          environment: given.environment,
          user: `id:${given.userId}`,
          browser: `${browserName} ${browserVersion}`,
          'browser.name': browserName,
          'os.name': given.os,
        },
        payload,
      }
    },
  }
}

function withPlaces(event: Json): Json {
  const [exception, ...others] = (event['exception'] ?? []) as Json[]
  return {
    ...event,
    event_id: placeOf('eventId'),
    timestamp: placeOf('atSec'),
    level: placeOf('level'),
    release: placeOf('release'),
    environment: placeOf('environment'),
    ...(exception && { exception: [{ ...exception, value: placeOf('value') }, ...others] }),
    user: { id: placeOf('userId'), email: placeOf('email'), ip_address: placeOf('ip') },
    contexts: {
      ...(event['contexts'] as Json | undefined),
      browser: { type: 'browser', name: placeOf('browserName'), version: placeOf('browserVersion') },
      os: { type: 'os', name: placeOf('os') },
    },
    derived: {
      ...(event['derived'] as Json),
      title: placeOf('title'),
      culprit: placeOf('culprit'),
    },
  }
}
