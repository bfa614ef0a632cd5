/** Groups stored events by rules that are only tried: the same code that new events go through. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { GroupingRules } from '@sonde/stores'
import { groupByRules, withoutRules } from './group-by-rules.ts'

export type StoredGrouping = {
  readonly hash: string
  readonly title: string
  readonly rule: string | undefined
  readonly fingerprint: string
  readonly changedFrames: number
}

const MAX_FINGERPRINT_CHARS = 200

/** Once for each of `rules`; undefined where the payload is no JSON of an event. Pure, never throws. */
export function groupStored(
  payload: string,
  rules: readonly GroupingRules[],
): readonly StoredGrouping[] | undefined {
  try {
    const event = withoutRules(JSON.parse(payload) as NormalizedEvent)
    return rules.map((each) => {
      // What the version before finds is no part of what this one would make.
      const { event: grouped } = groupByRules(event, { ...each, previous: null }, 0)
      const { grouping, title } = grouped.derived
      const own =
        grouping?.basis === 'fingerprint' ? grouping.parts.filter(({ from }) => from === 'fingerprint') : []
      const values = own.map(({ value }) => value.replaceAll('\n', ', ')).join(', ')
      return {
        hash: grouping?.hashes[0] ?? '',
        title,
        rule: grouping?.rule,
        fingerprint: (values === '' ? (grouping?.basis ?? '') : values).slice(0, MAX_FINGERPRINT_CHARS),
        changedFrames: (grouping?.stackRules ?? []).reduce((sum, { frames }) => sum + frames, 0),
      }
    })
  } catch {
    return undefined
  }
}
