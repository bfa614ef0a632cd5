/** What was found of each system, in each round. */

/** `less` and `more`: what is better. */
export type Better = 'less' | 'more'

export type Metric = {
  readonly name: string
  readonly unit: string
  readonly better: Better
}

export type Findings = {
  add(system: string, metric: Metric, value: number): void
  readonly metrics: readonly Metric[]
  readonly systems: readonly string[]
  /** One of each round; empty: it was not measured. */
  values(system: string, metric: Metric): readonly number[]
}

export function createFindings(): Findings {
  const metrics = new Map<string, Metric>()
  const systems = new Set<string>()
  const values = new Map<string, number[]>()
  const keyOf = (system: string, { name }: Metric): string => `${system}\n${name}`
  return {
    add(system, metric, value) {
      systems.add(system)
      if (!metrics.has(metric.name)) metrics.set(metric.name, metric)
      const key = keyOf(system, metric)
      values.set(key, [...(values.get(key) ?? []), value])
    },
    get metrics() {
      return [...metrics.values()]
    },
    get systems() {
      return [...systems]
    },
    values: (system, metric) => values.get(keyOf(system, metric)) ?? [],
  }
}
