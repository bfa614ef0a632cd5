/**
 * The present Sonde on the data folder of every earlier one, and on what it restores of a backup that an earlier one made:
 * nothing is lost, all of it is shown, and more goes in.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { type ApiClient, apiClient } from '../../harness/api-client.ts'
import { sondeJson, startSonde } from '../../harness/start-sonde.ts'
import {
  type DataFolderManifest,
  dataFolderNames,
  keptBackupNames,
  type StoreContent,
  unpackDataFolder,
  unpackKeptBackup,
} from './data-folder.ts'
import { sendError, SENT_ERRORS } from './send-everything.ts'

/** What was stored when the folder was made is there at any later day. */
const ENV = {
  SONDE_RETENTION_DAYS: '3650',
  SONDE_REPLAY_RETENTION_DAYS: '3650',
  SONDE_ARTIFACT_RETENTION_DAYS: '3650',
  SONDE_AUDIT_RETENTION_DAYS: '36500',
}

type Content = { readonly records: StoreContent; readonly telemetry: StoreContent }
type Doctor = {
  readonly state: string
  readonly parts: readonly { name: string; state: string; detail: string }[]
}

const [OLDEST] = dataFolderNames()

/** Makes `folder/data`. */
type Bring = (folder: string) => DataFolderManifest
const CASES: readonly (readonly [name: string, bring: Bring])[] = [
  ...dataFolderNames().map((name) => [name, (folder: string) => unpackDataFolder(name, folder)] as const),
  ...keptBackupNames().map(
    (name) => [`the backup ${name}`, (folder: string) => restoreKept(name, folder)] as const,
  ),
]

void describe('upgrades', { concurrency: 2 }, () => {
  for (const [name, bring] of CASES)
    it(`from ${name}: everything is there, is shown, and is added to`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sonde-upgrade-'))
      const dataDir = join(folder, 'data')
      try {
        const before = bring(folder)
        if (name === OLDEST) assert.ok(checked(dataDir).steps.length > 50)
        const running = await startSonde({ dataDir, env: ENV })
        try {
          const api = apiClient(running)
          await assertShown(api, before)
          await assertTaken(api, before, running.url, dataDir)
          // While Sonde runs.
          if (name === OLDEST) assert.deepEqual(checked(dataDir), { steps: [], later: [] })
          const { parts } = sondeJson<Doctor>(dataDir, ['doctor'], ENV)
          assert.deepEqual(
            parts.filter(({ state }) => state !== 'ok'),
            [],
          )
          assert.equal(await running.stop(), 0, running.log())
        } finally {
          running.child.kill('SIGKILL')
        }
        assertKept(before, await contentOf(dataDir))
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
})

function restoreKept(name: string, folder: string): DataFolderManifest {
  const kept = unpackKeptBackup(name, folder)
  const key = join(folder, 'key')
  chmodSync(key, 0o600)
  const { counts } = sondeJson<{ counts: { records: Record<string, number> } }>(
    join(folder, 'data'),
    ['restore', '--from', join(folder, 'backups'), '--key-file', key],
    ENV,
  )
  for (const [table, rows] of Object.entries(kept.records.rows))
    assert.equal(counts.records[table], rows, `rows of ${table} in the backup`)
  return kept
}

type Plan = { readonly steps: readonly string[]; readonly later: readonly string[] }

/** Both stores' as one. */
function checked(dataDir: string): Plan {
  const { stores } = sondeJson<{ stores: readonly Plan[] }>(dataDir, ['upgrade', '--check'], ENV)
  return { steps: stores.flatMap(({ steps }) => steps), later: stores.flatMap(({ later }) => later) }
}

/** What the old version stored, by the names under which it was sent. */
async function assertShown(api: ApiClient, { sent, records, telemetry }: DataFolderManifest): Promise<void> {
  const project = `/api/0/projects/${sent.org}/${sent.project}`
  const event = await api.until<{ eventID: string; groupID: string }>(
    `${project}/events/${sent.event}/`,
    () => true,
  )
  assert.equal(event.eventID, sent.event)
  const issues = await api.until<{ id: string; count: string }[]>(`${project}/issues/?query=`, () => true)
  assert.equal(issues.length, SENT_ERRORS)
  assert.ok(issues.some(({ id }) => id === event.groupID))
  const has = ({ rows }: StoreContent, table: string): boolean => (rows[table] ?? 0) > 0
  if (has(records, 'attachment')) {
    const list = `${project}/events/${sent.event}/attachments/`
    const [file] = await api.until<{ id: string }[]>(list, ({ length }) => length === 1)
    assert.equal(await (await api.download(`${list}${file?.id}/?download=1`)).text(), sent.attachment)
  }
  const org = `/api/0/organizations/${sent.org}`
  if (has(telemetry, 'spans')) {
    const trace = await api.until<{ transactions: unknown[] }>(`${org}/trace/${sent.trace}/`, () => true)
    assert.equal(trace.transactions.length, 1)
  }
  if (has(telemetry, 'replays')) {
    const { data } = await api.until<{ data: { id: string }[] }>(
      `${org}/replays/?statsPeriod=3650d`,
      () => true,
    )
    assert.deepEqual(
      data.map(({ id }) => id.replaceAll('-', '')),
      [sent.replay],
    )
    const recording = await api.until<unknown[]>(
      `${project}/replays/${sent.replay}/recording-segments/?download=1`,
      () => true,
    )
    assert.match(JSON.stringify(recording), /the cart/)
  }
  if (has(records, 'cron_run')) {
    const runs = await api.until<unknown[]>(`${org}/monitors/${sent.monitor}/checkins/`, () => true)
    assert.equal(runs.length, records.rows['cron_run'])
  }
}

/** By a key that the old version made. */
async function assertTaken(
  api: ApiClient,
  { sent }: DataFolderManifest,
  url: string,
  dataDir: string,
): Promise<void> {
  const dsn = url.replace('//', `//${publicKey(dataDir, sent.projectId)}@`)
  const event = await sendError({ url, dsn, projectId: sent.projectId }, 'the first one', 'a new one')
  const path = `/api/0/projects/${sent.org}/${sent.project}/events/${event}/`
  const { groupID } = await api.until<{ groupID: string }>(path, () => true)
  const old = await api.until<{ groupID: string }>(path.replace(event, sent.event), () => true)
  assert.equal(groupID, old.groupID, 'an error of before the upgrade and one of after it are two issues')
  await api.until<unknown[]>(`${path}attachments/`, ({ length }) => length === 1)
}

function publicKey(dataDir: string, projectId: string): string {
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'), { readOnly: true })
  const key = records.prepare('SELECT public_key FROM project_key WHERE project_id = ?').get(projectId)
  records.close()
  return String(key?.['public_key'])
}

/** What a start of the present version, or the error sent to it, adds rows to. */
const GROWING = new Set([
  'account',
  'alert_rule',
  'api_token',
  'attachment',
  'audit_entry',
  'event_index',
  'events',
  'incident',
  'issue_change',
  'notification',
  'outcomes',
  'setting',
])

/** What goes with age: an upload's chunks and what was said of it, windows of tries. */
const AGING = new Set(['artifact_assembly', 'artifact_chunk', 'newcomer', 'try_window'])

function assertKept(before: Content, after: Content): void {
  for (const store of ['records', 'telemetry'] as const) {
    assert.deepEqual(after[store].steps.slice(0, before[store].steps.length), before[store].steps)
    for (const [table, count] of Object.entries(before[store].rows)) {
      if (AGING.has(table)) continue
      const now = after[store].rows[table] ?? 0
      if (GROWING.has(table)) assert.ok(now >= count, `${table} had ${count} rows and has ${now}`)
      else assert.equal(now, count, `rows of ${table}`)
    }
  }
  assert.equal(after.telemetry.rows['events'], (before.telemetry.rows['events'] ?? 0) + 1)
}

async function contentOf(dataDir: string): Promise<Content> {
  const child = spawn(
    process.execPath,
    ['--conditions=@sonde/source', join(import.meta.dirname, 'data-folder-rows.ts'), dataDir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return JSON.parse(await text(child.stdout)) as Content
}
