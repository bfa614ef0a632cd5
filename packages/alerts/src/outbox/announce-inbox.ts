/** Says on the bus whose inbox has something new: a hint, whoever misses it asks now and then. */
import { type Bus, MAX_BUS_PEOPLE } from '@sonde/base'
import type { Records } from '@sonde/stores'

export type InboxAnnouncer = {
  /** To be called after what may have written notifications. */
  announce(): Promise<void>
}

/** What was written before is on no page that is open now. */
export async function createInboxAnnouncer(records: Records, bus: Bus): Promise<InboxAnnouncer> {
  const newest = await records
    .selectFrom('notification')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  let afterId = newest?.id ?? 0
  return {
    async announce() {
      for (;;) {
        const rows = await records
          .selectFrom('notification')
          .select(['id', 'user_id', 'medium'])
          .where('id', '>', afterId)
          .orderBy('id')
          .limit(MAX_BUS_PEOPLE)
          .execute()
        const last = rows.at(-1)
        if (!last) return
        afterId = Math.max(afterId, last.id)
        const users = new Set(
          rows.flatMap((row) => (row.medium === 'inbox' && row.user_id !== null ? [row.user_id] : [])),
        )
        if (users.size > 0) bus.publish('inbox.changed', { users: [...users] })
        if (rows.length < MAX_BUS_PEOPLE) return
      }
    },
  }
}
