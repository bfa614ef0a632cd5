type Suite = { readonly jobs: number; readonly cores?: number; readonly needs?: readonly string[] }

export function runJobs<Job extends { readonly suite: Suite }>(
  jobs: readonly Job[],
  cores: number,
  tools: Promise<void>,
  run: (job: Job) => Promise<void>,
): Promise<void>
