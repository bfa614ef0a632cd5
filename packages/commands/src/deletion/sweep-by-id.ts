/** Removes old rows of a table whose ids are in the order of time: walks along them, and does not look at what is young. */

// A transaction of so many rows takes some milliseconds; everybody else waits for its end.
export const ROWS_AT_ONCE = 500

type Swept<Row> = {
  readonly read: (afterId: number) => Promise<readonly Row[]>
  readonly isOver: (row: Row) => boolean
  readonly remove: (ids: readonly number[]) => Promise<unknown>
}

/** A page after the other, until one ends with what is young. May be interrupted anywhere and called again. */
export async function sweepById<Row extends { readonly id: number; readonly madeMs: number }>(
  signal: AbortSignal,
  before: number,
  { read, isOver, remove }: Swept<Row>,
): Promise<void> {
  for (let afterId = 0; !signal.aborted;) {
    const page = await read(afterId)
    const over = page.filter(isOver).map(({ id }) => id)
    if (over.length > 0) await remove(over)
    const last = page.at(-1)
    if (!last || page.length < ROWS_AT_ONCE || last.madeMs >= before) return
    afterId = last.id
  }
}
