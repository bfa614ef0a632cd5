import type { TagKey, TagSummary, TagValue } from '@sonde/queries'
import { isoDate } from './date.ts'

export const tagSummaryJson = (tag: TagSummary) => ({
  key: tag.key,
  name: nameOf(tag.key),
  totalValues: tag.total,
  uniqueValues: tag.distinct,
  topValues: tag.values.map((value) => tagValueJson(tag.key, value)),
})

export const tagKeyJson = ({ key, count }: TagKey) => ({ key, name: nameOf(key), totalValues: count })

export const tagValueJson = (key: string, value: Omit<TagValue, 'share'>) => ({
  key,
  name: value.value,
  value: value.value,
  count: value.count,
  firstSeen: isoDate(value.firstSeenMs),
  lastSeen: isoDate(value.lastSeenMs),
})

/** `server_name` → `Server Name`. */
const nameOf = (key: string): string =>
  key.replaceAll('_', ' ').replace(/(^| )[a-z]/g, (start) => start.toUpperCase())
