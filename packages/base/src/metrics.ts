/** Prometheus metrics: one registry per process, handed in as a parameter. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

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
    text: () => registry.metrics(),
  }
}
