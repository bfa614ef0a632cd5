/** What deploy/ has for Prometheus and Grafana; that /metrics knows its metrics is seen in tests/crash/system-drain.test.ts. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity?: string }
  readonly annotations: { readonly summary?: string; readonly runbook?: string }
}

test('each alert rule says what is the case and leads to a paragraph of the docs', () => {
  const { groups } = parse(read('deploy/prometheus/sonde-alerts.yaml')) as { groups: { rules: Rule[] }[] }
  const rules = groups.flatMap((group) => group.rules)
  const headings = new Set(
    [...read('docs/operate/observe.md').matchAll(/^### (\S+)$/gm)].map(([, name]) => name),
  )
  assert.ok(rules.length >= 10)
  for (const { alert, expr, labels, annotations } of rules) {
    assert.ok(expr.length > 0, alert)
    assert.match(labels.severity ?? '', /^(?:critical|warning)$/, alert)
    assert.match(annotations.summary ?? '', /\.$/, alert)
    assert.equal(annotations.runbook, `docs/operate/observe.md#${alert.toLowerCase()}`)
    assert.ok(headings.has(alert), `docs/operate/observe.md has no paragraph ${alert}`)
  }
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
})

test('the dashboard has a title, a unit and a query for each panel, and none lies on another', () => {
  type Panel = {
    readonly id: number
    readonly type: string
    readonly title: string
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
    readonly targets?: readonly { readonly expr: string }[]
    readonly fieldConfig?: { readonly defaults: { readonly unit?: string } }
  }
  const { panels } = JSON.parse(read('deploy/grafana/sonde-dashboard.json')) as { panels: Panel[] }
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const cells = new Set<string>()
  for (const { type, title, gridPos, targets = [], fieldConfig } of panels) {
    assert.notEqual(title, '')
    if (type !== 'row') assert.ok(targets.length > 0 && fieldConfig?.defaults.unit !== undefined, title)
    for (const { expr } of targets) assert.match(expr, /sonde_/, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(x < 24 && !cells.has(`${x} ${y}`), `${title} lies on another panel`)
        cells.add(`${x} ${y}`)
      }
  }
})
