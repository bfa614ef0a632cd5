export type FileCounts = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** How long its tests took. */
  readonly ms: number
}
export function runJob(
  job: { readonly files: readonly string[]; readonly timeoutMs: number },
  scratch: string,
  env?: Readonly<Record<string, string>>,
): Promise<{
  readonly counts: Readonly<Record<string, FileCounts>>
  readonly output: string
  readonly ms: number
}>
