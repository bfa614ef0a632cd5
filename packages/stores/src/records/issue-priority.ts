/** How soon an issue is to be looked at. docs/operate/triage.md */

export const PRIORITIES = ['high', 'medium', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

/** As the records hold them: they are sorted by it. Sentry's numbers. */
export const PRIORITY_VALUES: Readonly<Record<Priority, number>> = { high: 75, medium: 50, low: 25 }

export const priorityNamed = (value: number): Priority =>
  PRIORITIES.find((name) => PRIORITY_VALUES[name] === value) ?? 'medium'

export type Prioritized = {
  readonly level: string
  readonly isUnhandled: boolean
  readonly isEscalating?: boolean
}

/**
 * The rule, as long as nobody says otherwise: `high` is what is fatal, an error that nobody caught, or what escalates;
 * `medium` any other error and a warning; `low` the rest.
 */
export function priorityOf({ level, isUnhandled, isEscalating = false }: Prioritized): Priority {
  if (isEscalating || level === 'fatal' || (level === 'error' && isUnhandled)) return 'high'
  return level === 'error' || level === 'warning' ? 'medium' : 'low'
}
