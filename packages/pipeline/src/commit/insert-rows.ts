/** Puts the rows of a batch into a table; an item that the store refuses for its content is found and left out. */
import type { Telemetry, TelemetryRow, TelemetryTable } from '@sonde/stores'

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
    if (!isContentError(error)) throw error
    const [only] = items
    if (items.length === 1 && only !== undefined) return [{ item: only, error }]
    const half = Math.ceil(items.length / 2)
    const first = await insertRows(telemetry, table, items.slice(0, half), rowOf, `${token}:0`)
    return [...first, ...(await insertRows(telemetry, table, items.slice(half), rowOf, `${token}:1`))]
  }
}

/**
 * ClickHouse's numbers for "this value cannot be taken"; any other failure is the store's own and is tried again.
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const CONTENT_ERRORS = new Set([
  6, // CANNOT_PARSE_TEXT
  25, // CANNOT_PARSE_ESCAPE_SEQUENCE
  26, // CANNOT_PARSE_QUOTED_STRING
  27, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  38, // CANNOT_PARSE_DATE
  41, // CANNOT_PARSE_DATETIME
  53, // TYPE_MISMATCH
  69, // ARGUMENT_OUT_OF_BOUND
  70, // CANNOT_CONVERT_TYPE
  72, // CANNOT_PARSE_NUMBER
  117, // INCORRECT_DATA
  130, // CANNOT_READ_ARRAY_FROM_TEXT
  131, // TOO_LARGE_STRING_SIZE
])

function isContentError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const cause = (error.cause ?? error) as { readonly code?: unknown; readonly clickhouseCode?: unknown }
  return CONTENT_ERRORS.has(Number(cause.clickhouseCode ?? cause.code))
}
