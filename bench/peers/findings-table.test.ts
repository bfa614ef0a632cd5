import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingsTable } from './findings-table.ts'
import { createFindings } from './findings.ts'

test('what is lost is said as plainly as what is won, and what nobody measured is no zero', () => {
  const findings = createFindings()
  const rate = { name: 'persisted', unit: '/s', better: 'more' } as const
  const lost = { name: 'lost', unit: '', better: 'less' } as const
  const own = { name: 'a limit', unit: 'ms', better: 'less' } as const
  for (const value of [100, 300, 200]) findings.add('Own', rate, value)
  for (const value of [50, 40]) findings.add('Other', rate, value)
  findings.add('Own', lost, 12)
  findings.add('Other', lost, 0)
  findings.add('Limit', own, 1.25)
  assert.equal(
    findingsTable(findings, 'Own', ['Other']),
    [
      '|  | Own | Other | Limit | Own |',
      '| --- | ---: | ---: | ---: | ---: |',
      '| persisted, /s | 200 (100–300) | 45 (40–50) | – | better 4.44 × |',
      '| lost | 12 | 0 | – | **worse** |',
      '| a limit, ms | – | – | 1.25 |  |',
    ].join('\n'),
  )
})
