export function runJobs<Job extends { readonly suite: { readonly jobs: number; readonly cores?: number } }>(
  jobs: readonly Job[],
  cores: number,
  run: (job: Job) => Promise<void>,
): Promise<void>
