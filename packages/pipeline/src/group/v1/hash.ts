/** The hash of grouping v1: 32 lower hex, the first half of SHA-256 over the values with their lengths. */
import { hash } from 'node:crypto'

/** Lengths keep `['ab', 'c']` and `['a', 'bc']` apart, which plain joining would not. */
export function hashValues(values: readonly string[]): string {
  let text = 'v1'
  for (const value of values) text += `\n${value.length}:${value}`
  return hash('sha256', text, 'hex').slice(0, 32)
}
