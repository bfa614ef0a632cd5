/**
 * What `npm test` runs, in this order, two processes at a time. `jobs` bounds how many of them are of one suite.
 * Files share a process per package with `together`; those in `alone` never do. With `secondTry` files that failed run
 * once more, alone.
 */
export const SUITES = [
  { name: 'checks', command: ['scripts/check.ts'], jobs: 1 },
  {
    name: 'unit',
    files: ['packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts'],
    jobs: 2,
    timeoutMs: 120_000,
  },
  // Time-boxed: a minute in all. Unbounded: `npm run fuzz`.
  { name: 'fuzz', files: ['tests/fuzz/**/*.test.ts'], jobs: 2, timeoutMs: 300_000 },
  { name: 'crash', files: ['tests/crash/**/*.test.ts'], jobs: 1, timeoutMs: 180_000 },
  { name: 'compat', files: ['tests/compat/**/*.test.ts'], jobs: 2, timeoutMs: 180_000, secondTry: true },
  {
    name: 'tools',
    files: ['tests/stock-tools/*.test.ts'],
    jobs: 2,
    timeoutMs: 300_000,
    secondTry: true,
  },
  { name: 'browser', files: ['tests/browser/**/*.test.ts'], jobs: 2, timeoutMs: 120_000, secondTry: true },
  { name: 'e2e', files: ['tests/e2e/**/*.test.ts'], jobs: 2, timeoutMs: 180_000, secondTry: true },
]
