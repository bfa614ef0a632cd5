/** Prometheus metrics: one registry per process, handed in as a parameter. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export type MetricValue = {
  /** Of histograms with `_bucket` (label `le`), `_sum` and `_count`; else the family's. */
  readonly name: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}
export type MetricFamily = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly values: readonly MetricValue[]
}

export type Metrics = {
  counter<L extends string = never>(name: string, help: string, labels?: readonly L[]): Counter<L>
  gauge<L extends string = never>(name: string, help: string, labels?: readonly L[]): Gauge<L>
  /** A gauge that is read when somebody asks; while that fails it is not a number. */
  observed(name: string, help: string, read: () => number | Promise<number>): void
  /** Buckets in the unit that the name ends with (`_seconds`, `_bytes`). */
  histogram<L extends string = never>(
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly L[],
  ): Histogram<L>
  /** What they are now: names as in `text()`. */
  families(): Promise<readonly MetricFamily[]>
  /** The exposition text, version 0.0.4. */
  text(): Promise<string>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  return {
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: [...labels], registers }),
    gauge: (name, help, labels = []) => new Gauge({ name, help, labelNames: [...labels], registers }),
    observed(name, help, read) {
      const gauge = new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await Promise.try(read).catch(() => Number.NaN))
        },
      })
      registry.registerMetric(gauge)
    },
    histogram: (name, help, buckets, labels = []) =>
      new Histogram({ name, help, buckets: [...buckets], labelNames: [...labels], registers }),
    async families() {
      const found = await registry.getMetricsAsJSON()
      return found.map(({ name, help, type, values }) => ({
        name,
        help,
        type: type as unknown as MetricFamily['type'],
        values: values.map(({ labels, value, ...more }) => ({
          name: 'metricName' in more && typeof more.metricName === 'string' ? more.metricName : name,
          labels: labels as MetricValue['labels'],
          value,
        })),
      }))
    },
    text: () => registry.metrics(),
  }
}
