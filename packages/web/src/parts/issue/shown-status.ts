/** The states that the buttons of an issue lead to. */
const SHOWN_STATUSES = ['unresolved', 'resolved', 'ignored'] as const
export type ShownStatus = (typeof SHOWN_STATUSES)[number]

export const isShownStatus = (value: unknown): value is ShownStatus =>
  (SHOWN_STATUSES as readonly unknown[]).includes(value)

/** What a press on a button is called, and what it did. */
export const STATUS_DEEDS: Readonly<Record<ShownStatus, { readonly verb: string; readonly done: string }>> = {
  resolved: { verb: 'Resolve', done: 'resolved' },
  ignored: { verb: 'Ignore', done: 'ignored' },
  unresolved: { verb: 'Reopen', done: 'reopened' },
}
