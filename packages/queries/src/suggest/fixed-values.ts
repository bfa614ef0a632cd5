/** Values that are the same in every installation. */
import { STATE_DESCRIPTIONS } from '../search/is-condition.ts'

export type FixedValue = { readonly value: string; readonly description: string | undefined }

const plain = (...values: readonly string[]): readonly FixedValue[] =>
  values.map((value) => ({ value, description: undefined }))

const TIMES: readonly FixedValue[] = [
  { value: '-1h', description: 'Within the last hour' },
  { value: '-24h', description: 'Within the last day' },
  { value: '-7d', description: 'Within the last week' },
  { value: '-30d', description: 'Within the last 30 days' },
  { value: '+24h', description: 'Longer ago than a day' },
  { value: '+7d', description: 'Longer ago than a week' },
]

export const FIXED_VALUES: ReadonlyMap<string, readonly FixedValue[]> = new Map([
  ['is', STATE_DESCRIPTIONS],
  ['level', plain('fatal', 'error', 'warning', 'info', 'debug')],
  ['error.unhandled', plain('true', 'false')],
  ['error.handled', plain('true', 'false')],
  ['firstSeen', TIMES],
  ['lastSeen', TIMES],
  ['age', TIMES],
  [
    'timesSeen',
    [
      { value: '>1', description: 'More than once' },
      { value: '>100', description: 'More than a hundred times' },
      { value: '>10000', description: 'More than ten thousand times' },
      { value: '1', description: 'Once' },
    ],
  ],
])
