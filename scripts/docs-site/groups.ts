/**
 * The pages of the documentation, in the order in which the site's side bar lists them. Paths are those of the repository. A
 * page below `docs/` that is in no group fails a test; one that is listed and not there is left out.
 */

export type Listed =
  | string
  /** With the name that the side bar gives it; without one its heading is its name. */
  | readonly [source: string, name: string]

export type Group = {
  readonly name: string
  readonly pages: readonly Listed[]
  /** Only listed on its own pages; elsewhere its first page stands for it. */
  readonly isFolded?: boolean
}

export const GROUPS: readonly Group[] = [
  {
    name: 'Start',
    pages: [
      ['docs/README.md', 'Documentation'],
      ['README.md', 'What Sonde is'],
      'docs/start/README.md',
      ['docs/start/browser.md', 'JavaScript'],
      'docs/start/react.md',
      'docs/start/nextjs.md',
      'docs/start/vue.md',
      'docs/start/svelte.md',
      'docs/start/angular.md',
      'docs/start/astro.md',
      'docs/start/node.md',
      'docs/start/python.md',
      'docs/start/go.md',
      'docs/start/php.md',
      'docs/start/ruby.md',
      'docs/start/java.md',
      'docs/start/dotnet.md',
      'docs/start/mobile.md',
      ['docs/start/opentelemetry.md', 'OpenTelemetry'],
      ['docs/compat.md', 'What was tested'],
    ],
  },
  {
    name: 'Concepts',
    pages: [
      'docs/glossary.md',
      'docs/release-verdict.md',
      'docs/operate/release-health.md',
      'docs/vitals-causes.md',
      'docs/prefetching.md',
      'docs/deployments.md',
      'docs/coverage.md',
      'docs/noise.md',
    ],
  },
  {
    name: 'Screens',
    pages: [
      'docs/screens/README.md',
      'docs/screens/issues.md',
      'docs/screens/performance.md',
      'docs/screens/releases.md',
      'docs/screens/alerts.md',
      'docs/screens/settings.md',
      'docs/screens/operating.md',
      'docs/screens/sign-in.md',
    ],
  },
  {
    name: 'In depth',
    pages: [
      'docs/overview.md',
      'docs/insights.md',
      ['docs/detectors.md', 'Issues found in spans'],
      'docs/navigations.md',
      'docs/hydration.md',
      'docs/logs.md',
      'docs/metrics.md',
      'docs/profiles.md',
      'docs/replay.md',
      'docs/feedback.md',
      'docs/uptime.md',
      'docs/monitors.md',
      'docs/status-page.md',
      'docs/service-map.md',
      'docs/ai-agents.md',
      'docs/mobile.md',
    ],
  },
  {
    name: 'Work on issues',
    pages: [
      ['docs/operate/collaboration.md', 'Working together'],
      'docs/operate/triage.md',
      'docs/operate/ownership.md',
      ['docs/operate/merging-and-sharing.md', 'Merging, splitting, sharing'],
      'docs/language-models.md',
      'docs/operate/alerts.md',
      'docs/operate/trackers.md',
    ],
  },
  {
    name: 'Send data',
    pages: [
      'docs/reporter.md',
      ['packages/browser/README.md', '@sonde/browser'],
      ['packages/browser/docs/navigation.md', 'The navigation ledger'],
      ['packages/react/README.md', '@sonde/react'],
      ['packages/sentry-integration/README.md', '@sonde/sentry-integration'],
      ['packages/tunnel/README.md', '@sonde/tunnel'],
      ['docs/opentelemetry.md', 'OTLP in full'],
      ['docs/operate/source-maps.md', 'Source maps'],
      ['docs/native.md', 'Native programs'],
      ['docs/operate/sampling-and-cost.md', 'Sampling and cost'],
    ],
  },
  {
    name: 'Search and SQL',
    pages: [
      ['docs/reference/search.md', 'Searching issues'],
      ['docs/explore.md', 'Explore and SQL'],
      ['docs/reference/sql.md', 'SQL tables'],
      'docs/reference/grouping-rules.md',
    ],
  },
  {
    name: 'API and tools',
    pages: [
      ['docs/reference/api.md', 'API'],
      ['docs/reference/sentry-api.md', 'Sentry’s API'],
      ['docs/operate/oauth.md', 'OAuth'],
      ['docs/mcp.md', 'MCP'],
      ['docs/reference/cli.md', 'Command line'],
      ['docs/reference/sourcemaps-cli.md', 'Source maps on the command line'],
      ['docs/operate/import.md', 'Import'],
      ['docs/operate/export.md', 'Export'],
      ['docs/reference/export-format.md', 'Format of an export'],
      ['docs/operate/cut-over.md', 'Cut over'],
    ],
  },
  {
    name: 'Operate',
    pages: [
      'docs/operate/deploy.md',
      'docs/operate/release-archive.md',
      'docs/operate/behind-a-proxy.md',
      'docs/reference/configuration.md',
      'docs/troubleshooting.md',
      'docs/operate/sizing.md',
      ['docs/operate/scale.md', 'Millions a day and more'],
      'docs/operate/backup.md',
      'docs/operate/backup-schedule.md',
      'docs/operate/upgrade.md',
      'docs/operate/doctor.md',
      'docs/reference/outcomes.md',
      'docs/operate/rate-limits.md',
      ['docs/operate/retention.md', 'Retention and the disk'],
      'docs/operate/observe.md',
      'docs/operate/reliability.md',
    ],
  },
  {
    name: 'Security and people',
    pages: [
      ['docs/operate/security.md', 'Keys and files'],
      ['docs/operate/sign-in.md', 'Sign-in'],
      'docs/operate/single-sign-on.md',
      'docs/operate/scim.md',
      ['docs/operate/people.md', 'People and roles'],
      'docs/operate/audit-log.md',
      ['docs/operate/erasure.md', 'Personal data'],
      'docs/operate/recently-deleted.md',
      ['SECURITY.md', 'Report a vulnerability'],
    ],
  },
  {
    name: 'Several machines',
    pages: [
      ['docs/operate/roles.md', 'Roles of a start'],
      ['docs/operate/postgresql.md', 'PostgreSQL'],
      ['docs/operate/clickhouse.md', 'ClickHouse'],
      ['docs/operate/nats.md', 'NATS JetStream'],
      ['docs/operate/s3.md', 'S3'],
      ['docs/operate/move.md', 'Moving to servers'],
      ['docs/operate/several-machines.md', 'What a failure costs'],
    ],
  },
  {
    name: 'Compare',
    pages: [
      ['docs/compare.md', 'Sonde beside others'],
      ['docs/only-here.md', 'What only Sonde shows'],
      ['bench/README.md', 'Measured'],
    ],
  },
  {
    name: 'Contributing',
    pages: [
      ['CONTRIBUTING.md', 'How we work'],
      'docs/architecture.md',
      'docs/design.md',
      'docs/facts.md',
      ['packages/router/README.md', '@sonde/router'],
      ['packages/cli/README.md', '@sonde/cli'],
    ],
  },
  {
    name: 'Internals',
    isFolded: true,
    pages: [
      'docs/internals/log-format.md',
      'docs/internals/telemetry-schema.md',
      'docs/internals/shared-state.md',
      'docs/internals/upgrades.md',
      'docs/internals/grouping.md',
      'docs/internals/symbolication.md',
      'docs/internals/artifacts.md',
      'docs/internals/attachments.md',
      'docs/internals/reprocessing.md',
      'docs/internals/moved-events.md',
      'docs/internals/deleted-events.md',
      'docs/internals/alerts.md',
      'docs/internals/trackers.md',
      'docs/internals/releases.md',
      'docs/internals/single-sign-on.md',
      'docs/internals/threat-model.md',
      'docs/internals/fuzzing.md',
      'docs/internals/performance.md',
      'docs/internals/performance-changes.md',
      'docs/internals/screens-at-scale.md',
      'docs/internals/memory.md',
      'docs/internals/idle.md',
      'docs/internals/trace-screen.md',
      'docs/internals/navigations-api.md',
      'docs/internals/reporter-wire.md',
      'docs/internals/reporter-traces.md',
      'docs/internals/reporter-proofs.md',
      'docs/internals/router-proofs.md',
    ],
  },
  // Its pages follow the first one by their numbers.
  { name: 'Decisions', isFolded: true, pages: [['docs/decisions/README.md', 'All decisions']] },
]

/** Every page of this folder belongs to the last group. */
export const DECISIONS = 'docs/decisions'
