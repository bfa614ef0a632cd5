/** What a new alert rule begins with: the names and texts of its form. */
export type AlertStart = {
  readonly name?: string
  /** `SOURCE|MEASURE`; of spans `spans|` and of metrics `metrics|`, and `spanMeasure`. */
  readonly metric?: string
  readonly spanMeasure?: string
  readonly query?: string
  /** In the unit that the form shows. */
  readonly trigger?: string
}

export const ALERT_START = [
  'name',
  'metric',
  'spanMeasure',
  'query',
  'trigger',
] as const satisfies readonly (keyof AlertStart)[]
