/**
 * Files of a package in which the records' engine shows. The rest is pure, is about an engine of its own, or runs in the suite
 * `distributed`, which has the records on PostgreSQL too.
 */
const RECORDS_FILES = {
  stores: ['artifacts/*', 'records/span-caps'],
  access: ['**/*'],
  commands: ['**/*'],
  queries: [
    '{crons,status-page,list-issues,suggest,projects,project-settings,find-issue}',
    '{artifacts,releases}/*',
  ],
  jobs: ['**/*'],
  alerts: [
    '{crons,status-pages,issue-alerts,windows,notification-settings,pagers,push,slack-app}',
    'trackers/two-ways',
  ],
  api: ['**/*'],
  pipeline: [
    'attachments/*',
    'commit/{first-seen,owners,pipeline,settings,releases,newcomers,spikes,thinned,partitions,shared-partitions,project-holds}',
    'owners/*',
    'moves/{decisions,random-moves,reprocessing}',
    'reprocess/{reprocessing,crash}',
  ],
}

/**
 * What `npm test` runs, in this order, as many processes at a time as two cores carry. `jobs` bounds how many of them are
 * of one suite, and `cores` says what a process takes where much of its time is waiting: its processor time by its time.
 * Files for which `together` says the same share a process, except what is below a path in `alone`. What is in `first`
 * takes longest, which a clone without an earlier run cannot know. `needs` are tools of ensure-tools.mjs, which the suite waits
 * for. With `secondTry` files that failed run once more, alone.
 * Their temporary folder is in memory where there is room, unless `onDisk`. `env` is added to what their process has.
 */
export const SUITES = [
  { name: 'checks', command: ['--conditions=@sonde/source', 'scripts/check.ts'], jobs: 1 },
  {
    name: 'unit',
    files: ['packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    together: (file) => /^packages\/[^/]+/.exec(file)?.[0],
    alone: [
      // They hold memory to a bound.
      'packages/ingest/test/endpoints/compressed-body.test.ts',
      'packages/ingest/test/endpoints/worst-requests.test.ts',
      'packages/sourcemaps/test/memory.test.ts',
      // They open, kill or fork telemetry engines of their own; a process can have one.
      'packages/pipeline/test/commit/kill.test.ts',
      'packages/pipeline/test/reprocess/kill.test.ts',
      'packages/queries/test/sql/',
      'packages/server/test/back/test-event.test.ts',
      'packages/server/test/doctor/operator-status.test.ts',
      'packages/stores/test/telemetry/',
      // It sets the time zone of its process.
      'packages/web/test/shell/zoned-time.test.ts',
    ],
    jobs: 2,
    timeoutMs: 120_000,
  },
  // The same files again, with the records on a PostgreSQL server that each process starts.
  {
    name: 'postgres',
    files: Object.entries(RECORDS_FILES).flatMap(([name, paths]) =>
      paths.map((path) => `packages/${name}/test/${path}.test.ts`),
    ),
    together: (file) => /^packages\/[^/]+/.exec(file)?.[0],
    env: { SONDE_TEST_RECORDS: 'postgres' },
    jobs: 2,
    timeoutMs: 120_000,
  },
  // And with the blobs on an S3 server that each process starts.
  {
    name: 's3',
    needs: ['s3'],
    files: [
      'packages/api/test/attachments.test.ts',
      'packages/commands/test/artifacts/*.test.ts',
      'packages/commands/test/attachments.test.ts',
      'packages/commands/test/deletion.test.ts',
      'packages/pipeline/test/attachments/attachment-quota.test.ts',
      'packages/pipeline/test/attachments/store-attachments.test.ts',
      'packages/pipeline/test/dead/*.test.ts',
      'packages/stores/test/artifacts/artifact-rows.test.ts',
      'packages/stores/test/artifacts/chunks.test.ts',
    ],
    together: (file) => /^packages\/[^/]+/.exec(file)?.[0],
    env: { SONDE_TEST_BLOBS: 's3' },
    jobs: 2,
    timeoutMs: 120_000,
  },
  // The same files once more, with telemetry on two ClickHouse shards: those that ask everything that is asked.
  {
    name: 'shards',
    files: [
      'packages/queries/test/*.test.ts',
      'packages/queries/test/{alerts,artifacts,deployments,explore,performance,releases,scripts}/*.test.ts',
      'packages/queries/test/sql/run-sql.test.ts',
      'packages/pipeline/test/commit/{partitions,pipeline,spikes}.test.ts',
      'packages/commands/test/deletion.test.ts',
    ],
    together: (file) => /^packages\/[^/]+/.exec(file)?.[0],
    alone: ['packages/queries/test/sql/'],
    env: { SONDE_TEST_TELEMETRY: 'cluster' },
    jobs: 2,
    timeoutMs: 120_000,
    secondTry: true,
  },
  // Crashes and kills of the commit, and of moves of events, with all of them: the log on NATS, records on PostgreSQL, telemetry on
  // two shards.
  {
    name: 'distributed',
    files: [
      'packages/pipeline/test/commit/{crash,kill}.test.ts',
      'packages/pipeline/test/moves/{crash,delete,merge}.test.ts',
    ],
    together: (file) => /test\/(commit|moves)/.exec(file)?.[0],
    env: { SONDE_TEST_LOG: 'nats', SONDE_TEST_RECORDS: 'postgres', SONDE_TEST_TELEMETRY: 'cluster' },
    jobs: 1,
    timeoutMs: 120_000,
  },
  // Time-boxed: under a minute in all. Unbounded: `npm run fuzz`.
  { name: 'fuzz', files: ['tests/fuzz/**/*.test.ts'], jobs: 2, timeoutMs: 300_000 },
  // What a disk does is what they are about.
  {
    name: 'crash',
    files: ['tests/crash/**/*.test.ts'],
    jobs: 1,
    cores: 0.5,
    timeoutMs: 180_000,
    onDisk: true,
  },
  // Real servers in the place of the embedded engines. They wait more than they work.
  {
    name: 'engines',
    needs: ['s3'],
    files: ['tests/engines/**/*.test.ts'],
    jobs: 2,
    cores: 0.5,
    timeoutMs: 180_000,
  },
  // As on several machines: they share one installation, two cores and the servers of five kinds.
  {
    name: 'whole',
    needs: ['s3'],
    files: ['tests/whole/**/*.test.ts'],
    together: () => 'whole',
    jobs: 1,
    timeoutMs: 420_000,
    secondTry: true,
  },
  // Files of `e2e` on several machines: one cluster for all of them.
  {
    name: 'cluster',
    needs: ['chromium', 's3'],
    files: ['tests/cluster/*.test.ts'],
    runs: /^tests\/e2e\//,
    jobs: 1,
    timeoutMs: 420_000,
    secondTry: true,
  },
  {
    name: 'compat',
    needs: ['chromium'],
    files: ['tests/compat/**/*.test.ts'],
    jobs: 2,
    timeoutMs: 180_000,
    secondTry: true,
  },
  {
    name: 'tools',
    needs: ['chromium', 'stock tools'],
    files: ['tests/stock-tools/*.test.ts'],
    jobs: 2,
    timeoutMs: 300_000,
    secondTry: true,
  },
  {
    name: 'browser',
    needs: ['chromium', 'firefox'],
    files: ['tests/browser/**/*.test.ts'],
    jobs: 3,
    // Of the 292 s that its files took one after the other, 86 s were work.
    cores: 0.33,
    timeoutMs: 120_000,
    secondTry: true,
  },
  {
    name: 'e2e',
    needs: ['chromium'],
    files: ['tests/e2e/**/*.test.ts'],
    // They share a Sonde with its events.
    together: (file) => /screens-issue/.exec(file)?.[0],
    // A fifth of the work of this suite: whatever comes first, the end would wait for it.
    first: ['tests/e2e/all-screens.test.ts', 'tests/e2e/all-settings.test.ts'],
    jobs: 2,
    timeoutMs: 420_000,
    secondTry: true,
  },
]
