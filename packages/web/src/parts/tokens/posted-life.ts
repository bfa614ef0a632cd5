import type { PostedFields } from '../forms/posted-fields.ts'

/** What `TokenLifeField` posts; undefined when it was not there. */
export function postedLife(posted: PostedFields): number | null | undefined {
  const life = posted.text('expiresInDays')
  if (life === '') return undefined
  return life === 'never' ? null : Number(life)
}
