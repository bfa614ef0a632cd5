export type SuiteCounts = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly unsteady: readonly string[]
}
export function runFiles(
  suite: {
    readonly name: string
    readonly jobs: number
    readonly timeoutMs: number
    readonly secondTry?: boolean
  },
  files: readonly string[],
  scratch: string,
  output?: 'inherit' | 'ignore',
): SuiteCounts
