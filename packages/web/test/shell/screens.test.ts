import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSIGHT_KIND_IDS, INSIGHT_KINDS } from '@sonde/queries/contract'
import { INSIGHTS } from '../../src/shell/screens.ts'

test('the tabs of insights are the kinds of insights, in their order and under their names', () =>
  assert.deepEqual(
    Object.entries(INSIGHTS),
    INSIGHT_KIND_IDS.map((kind) => [kind, INSIGHT_KINDS[kind].name]),
  ))
