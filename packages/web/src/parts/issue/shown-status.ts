/** The states that the buttons of an issue lead to. */
const SHOWN_STATUSES = ['unresolved', 'resolved', 'ignored'] as const
export type ShownStatus = (typeof SHOWN_STATUSES)[number]

export const isShownStatus = (value: unknown): value is ShownStatus =>
  (SHOWN_STATUSES as readonly unknown[]).includes(value)
