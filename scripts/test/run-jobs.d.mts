export function runJobs<Job extends { readonly suite: { readonly jobs: number } }>(
  jobs: readonly Job[],
  slots: number,
  run: (job: Job, slot: number) => Promise<void>,
): Promise<void>
