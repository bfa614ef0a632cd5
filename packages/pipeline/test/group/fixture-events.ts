/** Events of the fixtures, grouped as the pipeline would group them. */
import { readdirSync, readFileSync } from 'node:fs'
import type { GroupingVersion } from '@sonde/stores'
import { groupEvent } from '../../src/group/group-event.ts'
import { normalizeEvent } from '../../src/normalize/index.ts'

const ROOT = new URL('../../../../fixtures/', import.meta.url)
const FOLDERS = ['sentry-grouping/inputs', 'sentry-event-samples', 'relay/event_payloads']

export function fixtureNames(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, ROOT))
      .filter((file) => file.endsWith('.json') && !file.includes('transaction'))
      .map((file) => `${folder}/${file}`),
  )
}

export function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, ROOT), 'utf8'))
}

export function groupFixture(name: string, version: GroupingVersion = 'v1') {
  const context = { eventId: '0'.repeat(32), receivedMs: 0, itemType: 'event', retentionDays: 90 }
  return groupEvent(normalizeEvent(readFixture(name), context), version)
}
