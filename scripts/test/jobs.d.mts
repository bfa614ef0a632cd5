type Suite = { readonly name: string; readonly first?: readonly string[] }
type Job = { readonly suite: Suite; readonly name: string; readonly files: readonly string[] }
export function longestFirst<Each extends Job>(
  jobs: readonly Each[],
  lastMs: (job: Each) => number | undefined,
  bytesOf?: (job: Each) => number,
): Each[]
