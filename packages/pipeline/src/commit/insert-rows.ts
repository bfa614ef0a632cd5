/** Puts the rows of a batch into a table; an item that the store refuses for its content is found and left out. */
import { RefusedRows, type Telemetry, type TelemetryRow, type TelemetryTable } from '@sonde/stores'

export type Refused<Item> = { readonly item: Item; readonly error: Error }

/**
 * Halves that are inserted apart have tokens of their own, made from where they lie in the batch; the same rows are
 * refused each time, so a repeated batch is cut in the same way.
 */
export async function insertRows<Item>(
  telemetry: Pick<Telemetry, 'insert'>,
  table: TelemetryTable,
  items: readonly Item[],
  rowOf: (item: Item) => TelemetryRow,
  token: string,
): Promise<Refused<Item>[]> {
  if (items.length === 0) return []
  try {
    await telemetry.insert(table, items.map(rowOf), token)
    return []
  } catch (error) {
    if (!(error instanceof RefusedRows)) throw error
    const [only] = items
    if (items.length === 1 && only !== undefined) return [{ item: only, error }]
    const half = Math.ceil(items.length / 2)
    const first = await insertRows(telemetry, table, items.slice(0, half), rowOf, `${token}:0`)
    return [...first, ...(await insertRows(telemetry, table, items.slice(half), rowOf, `${token}:1`))]
  }
}
