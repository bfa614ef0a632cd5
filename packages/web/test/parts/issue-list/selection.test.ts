import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  NOTHING_CHOSEN,
  type Selection,
  togglePage,
  toggleRow,
} from '../../../src/parts/issue-list/use-selection.ts'

const ROWS = [10, 20, 30, 40, 50]
const chosen = ({ ids }: Selection) => [...ids].toSorted((a, b) => a - b)

test('a row is chosen and released', () => {
  const one = toggleRow(NOTHING_CHOSEN, ROWS, 20, false)
  assert.deepEqual(chosen(one), [20])
  assert.deepEqual(chosen(toggleRow(one, ROWS, 20, false)), [])
})

test('with Shift the rows from the last one on become what the row becomes, in either direction', () => {
  const from = toggleRow(NOTHING_CHOSEN, ROWS, 40, false)
  const upwards = toggleRow(from, ROWS, 20, true)
  assert.deepEqual(chosen(upwards), [20, 30, 40])
  assert.deepEqual(chosen(toggleRow(toggleRow(upwards, ROWS, 40, false), ROWS, 30, true)), [20])
})

test('a range from a row that is not on the page is the row alone', () => {
  const gone: Selection = { ids: new Set([99]), anchor: 99, isAll: false }
  assert.deepEqual(chosen(toggleRow(gone, ROWS, 30, true)), [30, 99])
})

test('the page is chosen as a whole, then not at all; a row taken out ends "all that match"', () => {
  const whole = togglePage(toggleRow(NOTHING_CHOSEN, ROWS, 10, false), ROWS)
  assert.deepEqual(chosen(whole), ROWS)
  assert.equal(toggleRow({ ...whole, isAll: true }, ROWS, 10, false).isAll, false)
  assert.equal(togglePage(whole, ROWS), NOTHING_CHOSEN)
})
