/** The file that each shop program attaches to its warnings, as the API gives it back. */
import assert from 'node:assert/strict'
import type { Harness } from './harness.ts'

type Attachment = { readonly id: string; readonly name: string; readonly size: number; readonly sha1: string }

const STOCK = 'sku,left\n4711,2\n'

/** One `stock.csv` beside each of the events, byte for byte. */
export async function assertStockAttached(
  harness: Harness,
  eventIds: readonly string[],
  project = 'acme/shop',
): Promise<void> {
  for (const eventId of eventIds) {
    const base = `/api/0/projects/${project}/events/${eventId}/attachments/`
    const [stock, ...others] = await harness.api.until<readonly Attachment[]>(base, (list) => list.length > 0)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [stock?.name, stock?.size, stock?.sha1],
      // `printf 'sku,left\n4711,2\n' | sha1sum`
      ['stock.csv', STOCK.length, '6fc58c5021fd69c6dec34a2c2c96e0ceba15c598'],
    )
    const answer = await harness.api.download(`${base}${stock?.id}/?download=1`)
    assert.equal(await answer.text(), STOCK)
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="stock\.csv"/)
  }
}
