/** The configuration of one start, read once and handed down. */
import { join, resolve } from 'node:path'
import { ConfigError } from '@sonde/base'
import type { EngineConfig } from '@sonde/stores/engines'
import { isLoopback } from '../internal/client-headers.ts'
import { socketDir } from '../internal/socket-dir.ts'
import { readHeadersFile } from './headers-file.ts'
import { formerRoles } from './setting-values.ts'
import { readSetting, type Setting, SETTINGS } from './settings.ts'

export type Config = ReturnType<typeof readConfig>

/** Throws `ConfigError` on the first value that is not allowed. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const port = need(readSetting(SETTINGS.port, env))
  const host = need(readSetting(SETTINGS.host, env))
  const publicUrl = readSetting(SETTINGS.publicUrl, env)
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  const dataDir = resolve(need(readSetting(SETTINGS.dataDir, env)))
  return {
    port,
    host,
    /** Undefined: none. */
    otlpGrpcPort: readSetting(SETTINGS.otlpGrpcPort, env),
    dataDir,
    paths: dataPaths(dataDir),
    engines: engineConfig(dataPaths(dataDir), env),
    secretFile: resolve(readSetting(SETTINGS.secretFile, env) ?? join(dataDir, 'secret.key')),
    /** Whether the operator named the secret's file: other starts can have the same then. */
    isSecretNamed: readSetting(SETTINGS.secretFile, env) !== undefined,
    backup: backupSettings(env),
    exports: exportSettings(env),
    publicUrl: publicUrl ?? `http://${isAnyAddress ? 'localhost' : host}:${port}`,
    /** Whether the operator named the origin that browsers use. */
    isBehindProxy: publicUrl !== undefined,
    /** The names under which a browser on this machine may have opened the screens. */
    localOrigins: publicUrl === undefined ? [`http://localhost:${port}`, `http://127.0.0.1:${port}`] : [],
    ownerEmail: need(readSetting(SETTINGS.ownerEmail, env)),
    ownerPassword: readSetting(SETTINGS.ownerPassword, env),
    region: need(readSetting(SETTINGS.region, env)),
    regions: need(readSetting(SETTINGS.regions, env)),
    allowedHosts: readSetting(SETTINGS.allowedHosts, env) ?? [],
    metricsToken: readSetting(SETTINGS.metricsToken, env),
    trustProxy: need(readSetting(SETTINGS.trustProxy, env)),
    retentionDays: need(readSetting(SETTINGS.retentionDays, env)),
    maxAttachmentBytes: need(readSetting(SETTINGS.maxAttachmentBytes, env)),
    newcomers: thoseThatAreOn({
      issue: need(readSetting(SETTINGS.newIssues, env)),
      release: need(readSetting(SETTINGS.newReleases, env)),
    }),
    spikes: thoseThatAreOn({
      events: need(readSetting(SETTINGS.spikeEvents, env)),
      spans: need(readSetting(SETTINGS.spikeSpans, env)),
      bytes: need(readSetting(SETTINGS.spikeBytes, env)),
    }),
    /** Of one token; 0: no bound. */
    apiLimits: {
      perSecond: need(readSetting(SETTINGS.apiPerSecond, env)),
      concurrent: need(readSetting(SETTINGS.apiConcurrent, env)),
    },
    /** Of events within a minute; undefined: spikes are not sampled. */
    spikeFloor: need(readSetting(SETTINGS.spikeFloor, env)) || undefined,
    attachmentQuotaBytes: need(readSetting(SETTINGS.attachmentQuotaBytes, env)),
    /** Of the disk, 0 to 1. */
    diskMarks: {
      warn: need(readSetting(SETTINGS.diskWarn, env)) / 100,
      delete: need(readSetting(SETTINGS.diskDelete, env)) / 100,
    },
    freeShares: {
      attachments: need(readSetting(SETTINGS.freeForAttachments, env)) / 100,
      everything: need(readSetting(SETTINGS.freeForEverything, env)) / 100,
    },
    artifactQuotaBytes: need(readSetting(SETTINGS.artifactQuotaBytes, env)),
    artifactRetentionDays: need(readSetting(SETTINGS.artifactRetentionDays, env)),
    replayRetentionDays: need(readSetting(SETTINGS.replayRetentionDays, env)),
    auditRetentionDays: need(readSetting(SETTINGS.auditRetentionDays, env)),
    selfReport: selfReport(need(readSetting(SETTINGS.selfReport, env)), host, publicUrl),
    mail: mailSettings(env),
    outgoingAllow: readSetting(SETTINGS.outgoingAllow, env) ?? [],
    securityContact: readSetting(SETTINGS.securityContact, env),
    roles: need(readSetting(SETTINGS.roles, env)),
    /** As `old → new`: worth a warning. */
    formerRoles: formerRoles(env[SETTINGS.roles.name] ?? ''),
    drainMs: need(readSetting(SETTINGS.drainSeconds, env)) * 1_000,
    otlp: otlpExport(env),
    logLevel: need(readSetting(SETTINGS.logLevel, env)),
    logFormat: need(readSetting(SETTINGS.logFormat, env)),
  } as const
}

function otlpExport(env: NodeJS.ProcessEnv) {
  const url = readSetting(SETTINGS.otlpUrl, env)
  const headersFile = readSetting(SETTINGS.otlpHeadersFile, env)
  return {
    target:
      url === undefined
        ? undefined
        : { url, headers: headersFile === undefined ? {} : readHeadersFile(headersFile) },
    sample: need(readSetting(SETTINGS.otlpSample, env)),
  }
}

function thoseThatAreOn<Name extends string>(limits: Readonly<Record<Name, number>>) {
  const on = Object.entries<number>(limits).filter(([, limit]) => limit > 0)
  return Object.fromEntries(on) as { readonly [name in Name]?: number }
}

/** `reachable`: it is off because other machines reach this Sonde. */
function selfReport(
  asked: 'on' | 'off' | 'auto',
  host: string,
  publicUrl: string | undefined,
): 'on' | 'off' | 'reachable' {
  if (asked !== 'auto') return asked
  const isPublic = publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)
  return isLoopback(host) && !isPublic ? 'on' : 'reachable'
}

/** Undefined: no mail is sent. Throws `ConfigError` for a server without a sender. */
function mailSettings(env: NodeJS.ProcessEnv): { readonly url: string; readonly from: string } | undefined {
  const url = readSetting(SETTINGS.smtpUrl, env)
  const from = readSetting(SETTINGS.mailFrom, env)
  if (url === undefined) return undefined
  if (from !== undefined) return { url, from }
  throw new ConfigError(
    SETTINGS.mailFrom.name,
    `is not set, and ${SETTINGS.smtpUrl.name} is`,
    'Set the address from which mails come, such as Sonde <sonde@example.com>.',
  )
}

/** For settings that have a default, and so always a value. */
const need = <T>(value: T | undefined): T => value as T

function engineConfig(paths: ReturnType<typeof dataPaths>, env: NodeJS.ProcessEnv): EngineConfig {
  const place = <Local>(setting: Setting<string>, local: Local): Local | { readonly url: string } => {
    const url = readSetting(setting, env)
    return url === undefined ? local : { url }
  }
  const natsUrl = readSetting(SETTINGS.natsUrl, env)
  return {
    records: place(SETTINGS.databaseUrl, { file: paths.records }),
    telemetry: telemetryPlace(paths.telemetry, env),
    blobs: blobsPlace(paths.blobs, env),
    log: natsUrl === undefined ? { dir: paths.log } : natsPlace(natsUrl, env),
  }
}

const natsPlace = (url: string, env: NodeJS.ProcessEnv) => ({
  url,
  prefix: need(readSetting(SETTINGS.natsPrefix, env)),
  partitions: need(readSetting(SETTINGS.logPartitions, env)),
  replicas: need(readSetting(SETTINGS.natsReplicas, env)),
  maxBytes: need(readSetting(SETTINGS.natsMaxBytes, env)),
})

/** Throws `ConfigError` for a bucket without a key. */
function blobsPlace(dir: string, env: NodeJS.ProcessEnv): EngineConfig['blobs'] {
  const url = readSetting(SETTINGS.blobsUrl, env)
  if (url === undefined) return { dir }
  const accessKey = readSetting(SETTINGS.blobsAccessKey, env)
  const secretKey = readSetting(SETTINGS.blobsSecretKey, env)
  if (accessKey !== undefined && secretKey !== undefined) return { url, keys: { accessKey, secretKey } }
  const missing = accessKey === undefined ? SETTINGS.blobsAccessKey : SETTINGS.blobsSecretKey
  throw new ConfigError(
    missing.name,
    `is not set, and ${SETTINGS.blobsUrl.name} is`,
    'set both keys of the bucket',
  )
}

function backupSettings(env: NodeJS.ProcessEnv) {
  const accessKey = readSetting(SETTINGS.backupAccessKey, env) ?? readSetting(SETTINGS.blobsAccessKey, env)
  const secretKey = readSetting(SETTINGS.backupSecretKey, env) ?? readSetting(SETTINGS.blobsSecretKey, env)
  return {
    /** Undefined: a command has to name it. */
    to: readSetting(SETTINGS.backupTo, env),
    keyFile: readSetting(SETTINGS.backupKeyFile, env),
    /** Of a bucket. */
    keys: accessKey !== undefined && secretKey !== undefined ? { accessKey, secretKey } : undefined,
  }
}

function exportSettings(env: NodeJS.ProcessEnv) {
  const { keys } = backupSettings(env)
  const accessKey = readSetting(SETTINGS.exportAccessKey, env) ?? keys?.accessKey
  const secretKey = readSetting(SETTINGS.exportSecretKey, env) ?? keys?.secretKey
  return {
    /** Undefined: a command has to name it, and no page can ask for one. */
    to: readSetting(SETTINGS.exportTo, env),
    /** Of a bucket. */
    keys: accessKey !== undefined && secretKey !== undefined ? { accessKey, secretKey } : undefined,
  }
}

function telemetryPlace(dir: string, env: NodeJS.ProcessEnv): EngineConfig['telemetry'] {
  const url = readSetting(SETTINGS.clickhouseUrl, env)
  const cluster = readSetting(SETTINGS.clickhouseCluster, env)
  if (url !== undefined) return { url, ...(cluster !== undefined && { cluster }) }
  if (cluster === undefined) return { dir }
  throw new ConfigError(
    SETTINGS.clickhouseCluster.name,
    'needs SONDE_CLICKHOUSE_URL',
    'Set that to the URL of a server of the cluster.',
  )
}

/** Where each engine keeps its files. */
export function dataPaths(dataDir: string) {
  return {
    log: join(dataDir, 'log'),
    telemetry: join(dataDir, 'telemetry'),
    records: join(dataDir, 'records.sqlite'),
    blobs: join(dataDir, 'blobs'),
    /** Where the front hands on what people and programs send. */
    get backSocket(): string {
      return join(socketDir(dataDir), 'back.sock')
    },
    /** Where the back and the command line ask the front. */
    get frontSocket(): string {
      return join(socketDir(dataDir), 'front.sock')
    },
    /** Where the front and the command line ask the back; no stranger's request gets there. */
    get internalSocket(): string {
      return join(socketDir(dataDir), 'internal.sock')
    },
  } as const
}
