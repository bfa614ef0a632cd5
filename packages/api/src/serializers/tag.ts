/** Tags over a project, an organization or an issue: https://docs.sentry.io/api/projects/list-a-tags-values/ */
import type {
  TagKey as TagKeyRow,
  TagSummary as TagSummaryRow,
  TagValue as TagValueRow,
} from '@sonde/queries'
import { z } from 'zod'
import { isoDate, Time } from './date.ts'

export const TagKey = z
  .object({ key: z.string(), name: z.string(), totalValues: z.int() })
  .meta({ id: 'TagKey' })

export const TagValue = z
  .object({
    key: z.string(),
    name: z.string(),
    value: z.string(),
    count: z.int(),
    firstSeen: Time,
    lastSeen: Time,
  })
  .meta({ id: 'TagValue' })

export const TagSummary = TagKey.extend({ uniqueValues: z.int(), topValues: z.array(TagValue) }).meta({
  id: 'TagSummary',
})

export const tagKeyJson = ({ key, count }: TagKeyRow) => ({ key, name: nameOf(key), totalValues: count })

export const tagSummaryJson = (tag: TagSummaryRow) => ({
  key: tag.key,
  name: nameOf(tag.key),
  totalValues: tag.total,
  uniqueValues: tag.distinct,
  topValues: tag.values.map((value) => tagValueJson(tag.key, value)),
})

export const tagValueJson = (key: string, value: Omit<TagValueRow, 'share'>) => ({
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
