/** Every environment variable that Sonde reads: name, default, what is allowed. docs/reference/configuration.md is made from it. */
import { ConfigError, LOG_FORMATS, LOG_LEVELS } from '@sonde/base'
import { NATS_DEFAULTS, readNatsAddress } from '@sonde/log'
import { ITEM_MAX_BYTES } from '@sonde/protocol'
import { readS3Url } from '@sonde/stores/engines'
import { ALL_ROLES, ROLES } from '../modules.ts'
import {
  accessKey,
  anyText,
  clusterName,
  databaseUrl,
  hostNames,
  httpUrl,
  networkList,
  postgresUrl,
  regionMap,
  roleList,
  spikeLimit,
  trustedProxies,
  wholeNumber,
} from './setting-values.ts'

export type Setting<T> = {
  readonly name: string
  /** Used when the variable is unset or empty. */
  readonly fallback: string | undefined
  readonly allowed: string
  readonly help: string
  /** Returns undefined for a value that is not allowed. */
  readonly parse: (text: string) => T | undefined
}

export function readSetting<T>(setting: Setting<T>, env: NodeJS.ProcessEnv): T | undefined {
  const text = env[setting.name]?.trim() || setting.fallback
  if (text === undefined) return undefined
  const value = setting.parse(text)
  if (value === undefined) {
    const shown = /PASSWORD|TOKEN|KEY|SMTP_URL|DATABASE_URL|CLICKHOUSE_URL|BLOBS_URL|NATS_URL/.test(
      setting.name,
    )
      ? '(not shown)'
      : `"${text}"`
    throw new ConfigError(setting.name, `${shown} is not allowed; allowed is ${setting.allowed}`)
  }
  return value
}

const SPIKE_LIMIT = 'off (or 0) for no limit, or a whole number up to 1000000000'

export const SETTINGS = {
  port: {
    name: 'PORT',
    fallback: '8600',
    allowed: 'a port number from 0 to 65535 (0 takes a free one)',
    help: 'The one public port: screens, `/api/0`, and what SDKs send.',
    parse: wholeNumber(0, 65_535),
  },
  host: {
    name: 'HOST',
    fallback: '127.0.0.1',
    allowed: 'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
    help: 'The address to listen on. `0.0.0.0` makes Sonde reachable from other machines.',
    parse: (value) => (/^[\w.:-]+$/.test(value) ? value : undefined),
  },
  otlpGrpcPort: {
    name: 'SONDE_OTLP_GRPC_PORT',
    fallback: undefined,
    allowed: 'a port number from 0 to 65535, such as 4317 (0 takes a free one)',
    help: 'A second port, for OTLP over gRPC: see [OpenTelemetry](../opentelemetry.md). Unset: none, because gRPC needs HTTP/2 and its code needs memory; OTLP over HTTP comes through `PORT`.',
    parse: wholeNumber(0, 65_535),
  },
  dataDir: {
    name: 'SONDE_DATA_DIR',
    fallback: './data',
    allowed: 'a folder that Sonde may create and write to',
    help: 'Everything Sonde keeps: the log, telemetry, records and blobs. A relative path counts from where Sonde was started.',
    parse: anyText,
  },
  databaseUrl: {
    name: 'SONDE_DATABASE_URL',
    fallback: undefined,
    allowed: 'a URL such as postgres://sonde:password@db.example:5432/sonde, of a database that exists',
    help: 'A PostgreSQL server (14 or newer) for the records: projects, keys, issues, people. See [PostgreSQL](../operate/postgresql.md). Unset: the records are kept in SQLite in `SONDE_DATA_DIR`.',
    parse: postgresUrl,
  },
  clickhouseUrl: {
    name: 'SONDE_CLICKHOUSE_URL',
    fallback: undefined,
    allowed: 'a URL such as http://user:password@127.0.0.1:8123/sonde, of a database that exists',
    help: 'A ClickHouse server for telemetry, 26.7 or later: docs/operate/clickhouse.md. Unset: telemetry is kept in `SONDE_DATA_DIR`.',
    parse: databaseUrl,
  },
  clickhouseCluster: {
    name: 'SONDE_CLICKHOUSE_CLUSTER',
    fallback: undefined,
    allowed: 'the name of a cluster: letters, digits and . _ -',
    help: 'The cluster (system.clusters) of that server over which telemetry is spread, with replicated tables. Needs `SONDE_CLICKHOUSE_URL`. Unset: that server alone.',
    parse: clusterName,
  },
  blobsUrl: {
    name: 'SONDE_BLOBS_URL',
    fallback: undefined,
    allowed:
      's3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION, without a key; all but the bucket may be left out',
    help: 'The S3 bucket for blobs: attachments, uploaded source maps, dead letters ([s3.md](../operate/s3.md)). Without `endpoint` it is on AWS; without `region` in us-east-1. Unset: blobs are kept in `SONDE_DATA_DIR`.',
    parse: (value) => (readS3Url(value) === undefined ? undefined : value),
  },
  blobsAccessKey: {
    name: 'SONDE_BLOBS_ACCESS_KEY',
    fallback: undefined,
    allowed: 'the id of an access key, without spaces',
    help: 'The access key id for the bucket of `SONDE_BLOBS_URL`.',
    parse: accessKey,
  },
  blobsSecretKey: {
    name: 'SONDE_BLOBS_SECRET_KEY',
    fallback: undefined,
    allowed: 'the secret of an access key, without spaces',
    help: 'The secret access key that belongs to it.',
    parse: accessKey,
  },
  natsUrl: {
    name: 'SONDE_NATS_URL',
    fallback: undefined,
    allowed: 'addresses of one NATS, such as nats://user:password@10.0.0.1:4222,nats://10.0.0.2:4222',
    help: 'NATS servers with JetStream (2.11 or later; tested with 2.15) for the log; `tls://` is encrypted. Unset: the log is kept in `SONDE_DATA_DIR`. See [NATS](../operate/nats.md).',
    parse: (value) => (readNatsAddress(value) ? value : undefined),
  },
  natsPrefix: {
    name: 'SONDE_NATS_PREFIX',
    fallback: NATS_DEFAULTS.prefix,
    allowed: 'up to 32 letters, digits, hyphens and underscores',
    help: 'The beginning of the names of all streams and subjects: Sondes that do not belong together need different ones on the same NATS.',
    parse: (value) => (/^[\w-]{1,32}$/.test(value) ? value : undefined),
  },
  natsReplicas: {
    name: 'SONDE_NATS_REPLICAS',
    fallback: String(NATS_DEFAULTS.replicas),
    allowed: '1, 3 or 5, and no more than there are servers',
    help: 'How many NATS servers keep a copy of the log. With 3, one may be gone.',
    parse: (value) => (/^[135]$/.test(value) ? Number(value) : undefined),
  },
  natsMaxBytes: {
    name: 'SONDE_NATS_MAX_BYTES',
    fallback: String(NATS_DEFAULTS.maxBytes),
    allowed: 'a whole number of bytes from 1048576 to 1125899906842624',
    help: 'How much the log on NATS may hold; each partition gets an equal share, and half as much again is for large records. Beyond, events are refused with a 503 until the pipeline has caught up.',
    parse: wholeNumber(2 ** 20, 2 ** 50),
  },
  logPartitions: {
    name: 'SONDE_LOG_PARTITIONS',
    fallback: String(NATS_DEFAULTS.partitions),
    allowed: 'a whole number from 1 to 256',
    help: 'Into how many streams the log on NATS is divided, by project: as many processes can work on it at once. Cannot be changed later. The log in `SONDE_DATA_DIR` has one.',
    parse: wholeNumber(1, 256),
  },
  backupTo: {
    name: 'SONDE_BACKUP_TO',
    fallback: undefined,
    allowed: 'a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION without a key',
    help: 'Where `sonde backup` keeps backups unless `--to` names another place: on another disk than `SONDE_DATA_DIR`, or in a bucket ([backup.md](../operate/backup.md)).',
    parse: (value) => (/^[a-z0-9+.-]+:\/\//i.test(value) && !readS3Url(value) ? undefined : value),
  },
  backupKeyFile: {
    name: 'SONDE_BACKUP_KEY_FILE',
    fallback: undefined,
    allowed: 'the path of a file that only this user may read',
    help: 'The age key that backups are encrypted with: `sonde backup key --out FILE` makes one. Keep a copy elsewhere: without it nobody can restore. Unset: backups are not encrypted.',
    parse: anyText,
  },
  backupAccessKey: {
    name: 'SONDE_BACKUP_ACCESS_KEY',
    fallback: undefined,
    allowed: 'the id of an access key, without spaces',
    help: 'The access key id for the bucket of backups. Unset: `SONDE_BLOBS_ACCESS_KEY`.',
    parse: accessKey,
  },
  backupSecretKey: {
    name: 'SONDE_BACKUP_SECRET_KEY',
    fallback: undefined,
    allowed: 'the secret of an access key, without spaces',
    help: 'The secret access key that belongs to it. Unset: `SONDE_BLOBS_SECRET_KEY`.',
    parse: accessKey,
  },
  exportTo: {
    name: 'SONDE_EXPORT_TO',
    fallback: undefined,
    allowed: 'a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION without a key',
    help: 'Where exports of organizations go that owners ask for or schedule ([export.md](../operate/export.md)). Unset: only `sonde export --to` makes some.',
    parse: (value) => (/^[a-z0-9+.-]+:\/\//i.test(value) && !readS3Url(value) ? undefined : value),
  },
  exportAccessKey: {
    name: 'SONDE_EXPORT_ACCESS_KEY',
    fallback: undefined,
    allowed: 'the id of an access key, without spaces',
    help: 'The access key id for the bucket of exports. Unset: that of backups.',
    parse: accessKey,
  },
  exportSecretKey: {
    name: 'SONDE_EXPORT_SECRET_KEY',
    fallback: undefined,
    allowed: 'the secret of an access key, without spaces',
    help: 'The secret access key that belongs to it. Unset: that of backups.',
    parse: accessKey,
  },
  secretFile: {
    name: 'SONDE_SECRET_FILE',
    fallback: undefined,
    allowed: 'the path of a file that only this user may read',
    help: 'The key that signs cookies and encrypts second factors: at least 32 random characters, made at the first start. Unset: `secret.key` in `SONDE_DATA_DIR`. Put it where backups of the data do not go: docs/operate/security.md.',
    parse: anyText,
  },
  publicUrl: {
    name: 'SONDE_PUBLIC_URL',
    fallback: undefined,
    allowed: 'an origin such as https://sonde.example.com, without a path',
    help: 'How browsers and SDKs reach Sonde, when that is not `http://HOST:PORT` (behind a proxy). DSNs, links and the origin check of forms use it.',
    parse: httpUrl,
  },
  ownerEmail: {
    name: 'SONDE_OWNER_EMAIL',
    fallback: 'owner@sonde.local',
    allowed: 'an e-mail address',
    help: 'The first owner, created at the first start.',
    parse: (value) => (/^[^\s@]+@[^\s@]+$/.test(value) ? value : undefined),
  },
  ownerPassword: {
    name: 'SONDE_OWNER_PASSWORD',
    fallback: undefined,
    allowed: 'at least 8 characters, at most 128',
    help: "The first owner's password. When it is not set, a random one is printed once, at the first start.",
    parse: (value) => (value.length >= 8 && value.length <= 128 ? value : undefined),
  },
  region: {
    name: 'SONDE_REGION',
    fallback: 'local',
    allowed: 'a short name of letters, digits and hyphens',
    help: 'The name of this Sonde among regions: what `r` of `/monitoring` must say to be handled here.',
    parse: (value) => (/^[a-z0-9-]{1,32}$/i.test(value) ? value : undefined),
  },
  regions: {
    name: 'SONDE_REGIONS',
    fallback: '{}',
    allowed: 'a JSON object of region → ingest URL, such as {"eu":"https://eu.sonde.example.com"}',
    help: 'Other regions to which `/monitoring?r=…` relays the untouched envelope. Any region not listed is refused.',
    parse: regionMap,
  },
  trustProxy: {
    name: 'SONDE_TRUST_PROXY',
    fallback: 'no',
    allowed:
      'no, how many of your proxies a request passes (1 for one nginx), or their addresses, such as 10.0.0.0/8,fd00::1',
    help: 'Whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. Entries are read from the right, so that what a client wrote itself counts for nothing. [behind-a-proxy.md](../operate/behind-a-proxy.md) has examples.',
    parse: trustedProxies,
  },
  allowedHosts: {
    name: 'SONDE_ALLOWED_HOSTS',
    fallback: undefined,
    allowed: 'host names without ports, such as sonde.lan,sonde.internal',
    help: 'More names under which the screens, sign-in and `/api/0` answer. Addresses, `localhost` and `HOST` always do; with `SONDE_PUBLIC_URL` every name does, until some are listed here. SDKs may send to any name.',
    parse: hostNames,
  },
  metricsToken: {
    name: 'SONDE_METRICS_TOKEN',
    fallback: undefined,
    allowed: 'at least 16 characters without spaces, at most 256',
    help: 'Opens `/metrics` to who sends it as `Authorization: Bearer …`. Without it only programs on this machine get an answer.',
    parse: (value) => (/^[\x21-\x7e]{16,256}$/.test(value) ? value : undefined),
  },
  retentionDays: {
    name: 'SONDE_RETENTION_DAYS',
    fallback: '90',
    allowed: 'a whole number of days from 1 to 3650',
    help: 'How long events are kept.',
    parse: wholeNumber(1, 3650),
  },
  maxAttachmentBytes: {
    name: 'SONDE_MAX_ATTACHMENT_BYTES',
    fallback: String(ITEM_MAX_BYTES.attachment),
    allowed: `a whole number of bytes from 0 to ${ITEM_MAX_BYTES.attachment}`,
    help: 'The largest attachment that is taken; a larger one does not cost its event. `0`: none but empty ones.',
    parse: wholeNumber(0, ITEM_MAX_BYTES.attachment),
  },
  spikeEvents: {
    name: 'SONDE_SPIKE_LIMIT_EVENTS',
    // A hundred a second is a bad release; thirty projects doing that at once are what a small machine can take.
    fallback: '6000',
    allowed: SPIKE_LIMIT,
    help: 'How many errors, transactions, attachments and so on (each on its own) a project may send within a minute that has no rate limit of its own; an hour takes twenty times as many.',
    parse: spikeLimit,
  },
  spikeSpans: {
    name: 'SONDE_SPIKE_LIMIT_SPANS',
    // 2,000 a second, under half of what a small machine stores; three hundred page views a second make as many.
    fallback: '120000',
    allowed: SPIKE_LIMIT,
    help: 'The same for spans, those of transactions too, and for metrics, log lines, sessions and client reports.',
    parse: spikeLimit,
  },
  spikeBytes: {
    name: 'SONDE_SPIKE_LIMIT_BYTES',
    // 6,000 transactions of 17 kB, five attachments of the largest size; two gigabytes an hour.
    fallback: '100000000',
    allowed: SPIKE_LIMIT.replace('1000000000', '1099511627776'),
    help: 'The same for the bytes of each of these kinds.',
    parse: (value) => (value === 'off' ? 0 : wholeNumber(0, 2 ** 40)(value)),
  },
  spikeFloor: {
    name: 'SONDE_SPIKE_SAMPLING',
    // Ten a second: a tenth of what the door takes of a project, and nothing to a disk.
    fallback: '600',
    allowed: SPIKE_LIMIT.replace('no limit', 'no sampling'),
    help: 'How many events of a project within a minute are stored whole, however few it usually sends. Above it, and above five times what is usual at this time of the week, they are sampled: 1 in 10 is stored, all are counted.',
    parse: spikeLimit,
  },
  apiPerSecond: {
    name: 'SONDE_API_LIMIT_SECOND',
    // One that waits for each answer made 1,144 on this machine's own network: more are many at once, without a pause.
    fallback: '2000',
    allowed: SPIKE_LIMIT,
    help: 'How many requests to `/api/0` one token may make within a second; a person who is signed in ten times as many. More are answered with 429: see [limits](sentry-api.md#limits).',
    parse: spikeLimit,
  },
  apiConcurrent: {
    name: 'SONDE_API_LIMIT_CONCURRENT',
    // sentry-cli uploads eight pieces at once.
    fallback: '50',
    allowed: SPIKE_LIMIT,
    help: 'How many of them may be answered at the same moment.',
    parse: spikeLimit,
  },
  newIssues: {
    name: 'SONDE_SPIKE_LIMIT_ISSUES',
    // Nobody reads a hundred new issues; a bad release has made its own within minutes.
    fallback: '100',
    allowed: SPIKE_LIMIT,
    help: 'How many new issues a project may make within a minute; an hour makes twenty times as many. Events of issues that are known go on.',
    parse: spikeLimit,
  },
  newReleases: {
    name: 'SONDE_SPIKE_LIMIT_RELEASES',
    // Apps on phones send of many releases: they are listed within some minutes.
    fallback: '20',
    allowed: SPIKE_LIMIT,
    help: 'How many releases that nobody made may be listed within a minute because events name them. The events are kept.',
    parse: spikeLimit,
  },
  attachmentQuotaBytes: {
    name: 'SONDE_ATTACHMENT_QUOTA_BYTES',
    fallback: String(10 * 1024 ** 3),
    allowed: 'a whole number of bytes from 0 to 1125899906842624',
    help: 'How much the attachments of one organization may take on the disk, equal ones of a project once. One that does not fit is refused; its event is kept.',
    parse: wholeNumber(0, 2 ** 50),
  },
  freeForAttachments: {
    name: 'SONDE_MIN_FREE_ATTACHMENTS',
    fallback: '10',
    allowed: 'a whole percentage from 0 (never) to 90',
    help: 'When less of the disk of `SONDE_DATA_DIR` is free, attachments are refused. 10 GB are always enough.',
    parse: wholeNumber(0, 90),
  },
  freeForEverything: {
    name: 'SONDE_MIN_FREE',
    fallback: '3',
    allowed: 'a whole percentage from 0 (never) to 90',
    help: 'When less of it is free, everything that is sent is refused with a 503: what was taken before needs room to be stored. 1 GB is always enough.',
    parse: wholeNumber(0, 90),
  },
  diskWarn: {
    name: 'SONDE_DISK_WARN',
    fallback: '85',
    allowed: 'a whole percentage from 0 (never) to 99',
    help: 'When so much of the disk of `SONDE_DATA_DIR` is used, operators are told: on the status page, in the log and by mail, once a day. [retention.md](../operate/retention.md)',
    parse: wholeNumber(0, 99),
  },
  diskDelete: {
    name: 'SONDE_DISK_DELETE',
    fallback: '95',
    allowed: 'a whole percentage from 0 (never) to 99',
    help: 'When so much of it is used, the oldest data is deleted until it is 2 percent less. `0` turns that off: then everything is refused when the disk is nearly full.',
    parse: wholeNumber(0, 99),
  },
  artifactQuotaBytes: {
    name: 'SONDE_ARTIFACT_QUOTA_BYTES',
    fallback: String(10 * 1024 ** 3),
    allowed: 'a whole number of bytes from 0 to 1125899906842624',
    help: 'How much uploaded source maps and scripts of one organization may take on the disk. An upload that does not fit is refused.',
    parse: wholeNumber(0, 2 ** 50),
  },
  auditRetentionDays: {
    name: 'SONDE_AUDIT_RETENTION_DAYS',
    fallback: '730',
    allowed: 'a whole number of days from 30 to 36500',
    help: 'How long entries of the audit log are kept.',
    parse: wholeNumber(30, 36_500),
  },
  artifactRetentionDays: {
    name: 'SONDE_ARTIFACT_RETENTION_DAYS',
    fallback: '90',
    allowed: 'a whole number of days from 1 to 3650',
    help: 'How long uploaded source maps are kept after the upload, or after an event was last read with them.',
    parse: wholeNumber(1, 3650),
  },
  replayRetentionDays: {
    name: 'SONDE_REPLAY_RETENTION_DAYS',
    fallback: '30',
    allowed: 'a whole number of days from 1 to 3650',
    help: 'How long session replays are kept; never longer than events.',
    parse: wholeNumber(1, 3650),
  },
  smtpUrl: {
    name: 'SONDE_SMTP_URL',
    fallback: undefined,
    allowed: 'a URL such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com:465',
    help: 'The mail server through which notifications are sent: `smtps://` is encrypted from the start, `smtp://` as soon as the server offers it. Unset: no mail is sent.',
    parse: (value) => (URL.canParse(value) && /^smtps?:\/\/[^/]+\/?(?:\?|$)/.test(value) ? value : undefined),
  },
  mailFrom: {
    name: 'SONDE_MAIL_FROM',
    fallback: undefined,
    allowed: 'an address such as sonde@example.com or Sonde <sonde@example.com>',
    help: 'The sender of mails. Needed with `SONDE_SMTP_URL`.',
    parse: (value) =>
      /^(?:[^<>\r\n]{0,100}<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value) ? value : undefined,
  },
  outgoingAllow: {
    name: 'SONDE_OUTGOING_ALLOW',
    fallback: undefined,
    allowed: 'addresses and ranges, such as 10.1.0.0/16,fd00::5',
    help: 'Networks besides the public internet to which webhooks and other requests to addresses that people typed in may go. Unset: none, so that nobody looks behind the firewall through Sonde.',
    parse: networkList,
  },
  selfReport: {
    name: 'SONDE_SELF_REPORT',
    fallback: 'auto',
    allowed: 'on, off or auto',
    help: "Whether Sonde's own screens report their errors and slow pages, to the project `sonde` of this installation. `auto`: as long as `HOST` and `SONDE_PUBLIC_URL` are of this machine, because everybody who signs in gets a key of that project.",
    parse: (value) => (['on', 'off', 'auto'] as const).find((each) => each === value),
  },
  roles: {
    name: 'SONDE_ROLES',
    fallback: 'all',
    allowed: `all, or a list of ${ALL_ROLES.join(', ')}`,
    help: `What this start runs: ${ROLES.map(({ name, about }) => `\`${name}\` ${about}`).join('; ')}. See [Roles](../operate/roles.md).`,
    parse: roleList,
  },
  drainSeconds: {
    name: 'SONDE_DRAIN_SECONDS',
    fallback: '0',
    allowed: 'a whole number of seconds from 0 to 300',
    help: 'How long a stop goes on accepting after `/readyz` began to answer 503, so that a load balancer sends no more. 5 to 10 behind one; `0` when nothing asks `/readyz`. See [Deploying](../operate/deploy.md).',
    parse: wholeNumber(0, 300),
  },
  securityContact: {
    name: 'SONDE_SECURITY_CONTACT',
    fallback: undefined,
    allowed: 'an address such as mailto:security@example.com or https://example.com/security',
    help: 'Whom to tell about a vulnerability of this installation: `/.well-known/security.txt` says it. Unset: there is no such file.',
    parse: (value) => (/^(?:mailto:|https:\/\/|tel:)[!-~]{3,500}$/.test(value) ? value : undefined),
  },
  otlpUrl: {
    name: 'SONDE_OTLP_URL',
    fallback: undefined,
    allowed: 'a URL such as http://collector:4318, to which /v1/traces and /v1/metrics are added',
    help: "Where Sonde's own traces and metrics go, by OTLP over HTTP with JSON. Unset: nowhere, and nothing is traced. See [Observing Sonde](../operate/observe.md).",
    parse: (value) =>
      URL.canParse(value) && /^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/.test(value)
        ? value.replace(/\/$/, '')
        : undefined,
  },
  otlpHeadersFile: {
    name: 'SONDE_OTLP_HEADERS_FILE',
    fallback: undefined,
    allowed: 'the path of a file that this user alone can read',
    help: 'Headers for `SONDE_OTLP_URL`, such as one with a token: a line `name: value` for each.',
    parse: anyText,
  },
  otlpSample: {
    name: 'SONDE_OTLP_SAMPLE',
    fallback: '0.1',
    allowed: 'a number from 0 (metrics only) to 1 (every request and batch)',
    help: 'How many of the traces that begin in Sonde are sent to `SONDE_OTLP_URL`. Where a trusted proxy sends a `traceparent`, that decides.',
    parse: (value) => (/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/.test(value) ? Number(value) : undefined),
  },
  logLevel: {
    name: 'SONDE_LOG_LEVEL',
    fallback: 'info',
    allowed: 'trace, debug, info, warn, error or silent',
    help: 'How much is written to standard error. `sonde log-level` changes it while Sonde runs. See [Observing Sonde](../operate/observe.md).',
    parse: (value) => LOG_LEVELS.find((level) => level === value),
  },
  logFormat: {
    name: 'SONDE_LOG_FORMAT',
    fallback: 'auto',
    allowed: 'auto, json or text',
    help: 'How it is written: one JSON object per line, or text for people. `auto`: text where standard error is a terminal.',
    parse: (value) => LOG_FORMATS.find((format) => format === value),
  },
} as const satisfies Record<string, Setting<unknown>>
