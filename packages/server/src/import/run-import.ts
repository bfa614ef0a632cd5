/** An import from beginning to end, in the order in which one thing needs the other. It may be cut anywhere and run again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { operatorViewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  addTeamMember,
  type CommandDeps,
  createProject,
  createTeam,
  inviteMembers,
  setTeamProject,
} from '@sonde/commands'
import type { Role } from '@sonde/stores'
import { importIssues } from './import-issues.ts'
import { type ImportJournal, type Outcome, PAUSED_RULES } from './import-journal.ts'
import type { ImportTarget } from './import-target.ts'
import type { ForeignProject, ForeignRule, ForeignTeam, ImportSource } from './source.ts'
import { importKey, pendingChanges, quietProject, resumeRules } from './write-records.ts'

export type RunImport = {
  readonly source: ImportSource
  readonly target: ImportTarget
  readonly deps: CommandDeps
  readonly journal: ImportJournal
  /** The newest of each issue. */
  readonly events: number
  readonly isDryRun: boolean
  readonly sendsInvitations: boolean
  readonly onProgress: (line: string) => void
}
export type Imported = { readonly missing: readonly { readonly kind: string; readonly why: string }[] }

type Here = { readonly id: number; readonly slug: string; readonly publicKey: string }

export async function runImport(run: RunImport): Promise<Imported> {
  const missing = new Map<string, string>()
  const miss = (kind: string, why: string): void => void missing.set(kind, why)
  const { source, onProgress } = run
  onProgress('teams and members')
  const teams: ForeignTeam[] = []
  for await (const team of source.teams(miss)) teams.push(team)
  await importTeams(run, teams)
  await importMembers(run, teams, miss)
  const projects: (ForeignProject & { readonly here: Here })[] = []
  for await (const project of source.projects()) {
    const here = await importProject(run, project)
    if (!here) continue
    projects.push({ ...project, here })
    for await (const key of source.keys(project, miss)) await importOneKey(run, project, here, key)
  }
  onProgress(`${projects.length} projects with their keys`)
  await importReleases(run, projects, miss)
  const people = peopleOf(run)
  for (const project of projects)
    await importIssues({
      ...run,
      ...people,
      project,
      missing: miss,
      onIssue: (_, number) => {
        if (number % 25 === 1) onProgress(`issues of ${project.slug}: ${number}`)
      },
    })
  await importSearches(run, miss)
  await importRules(run, projects, miss)
  await resume(run, projects)
  return { missing: [...missing].map(([kind, why]) => ({ kind, why })) }
}

/** Notes what became of it. `work` returns what is missing; what it throws of the object itself is noted too. */
async function attempt(
  { journal, isDryRun }: RunImport,
  about: Pick<Outcome, 'kind' | 'id' | 'name'>,
  work: () => Promise<{ readonly to?: string; readonly why?: readonly string[] }>,
): Promise<void> {
  if (journal.get(about.kind, about.id)?.outcome === 'done') return
  try {
    const { why = [], to } = isDryRun ? {} : await work()
    journal.note({
      ...about,
      outcome: why.length === 0 ? 'done' : 'partly',
      ...(why.length > 0 && { why }),
      ...(to !== undefined && { to }),
    })
  } catch (error) {
    if (!(error instanceof SondeError) || error.kind === 'unavailable' || error.kind === 'internal')
      throw error
    journal.note({ ...about, outcome: 'left', why: [error.message] })
  }
}

const left = (why: string): never => {
  throw new SondeError('conflict', why, { operation: 'import' })
}

async function importTeams(run: RunImport, teams: readonly ForeignTeam[]): Promise<void> {
  const { deps, target } = run
  const grant = await deps.access.openOrg(operatorViewer, target.org.slug, 'team:write')
  for (const { slug, name } of teams)
    await attempt(run, { kind: 'team', id: slug, name: slug }, async () => {
      if ((await teamIdOf(run, slug)) === undefined) await createTeam(deps, grant, { name, slug })
      return { to: slug }
    })
}

const ROLES: Readonly<Record<string, Role>> = {
  owner: 'owner',
  manager: 'admin',
  admin: 'admin',
  member: 'member',
  billing: 'viewer',
}

async function importMembers(
  run: RunImport,
  teams: readonly ForeignTeam[],
  miss: (kind: string, why: string) => void,
): Promise<void> {
  const { source, deps, target, sendsInvitations } = run
  const grant = await deps.access.openOrg(operatorViewer, target.org.slug, 'member:write')
  for await (const { email, role } of source.members(miss))
    await attempt(run, { kind: 'member', id: email, name: email }, async () => {
      const own = teams.filter(({ emails }) => emails.includes(email))
      const ids = await Promise.all(own.map(({ slug }) => teamIdOf(run, slug)))
      const teamIds = ids.filter((id) => id !== undefined)
      const { members } = await inviteMembers(deps, grant, {
        emails: [email],
        role: ROLES[role] ?? 'member',
        teamIds,
        days: 30,
        byMail: sendsInvitations,
      })
      if (members.length === 0) return { to: 'invited' }
      const userId = await userIdOf(run, email)
      for (const team of teamIds) if (userId !== undefined) await addTeamMember(deps, grant, { team, userId })
      return { to: 'member' }
    })
}

async function importProject(run: RunImport, project: ForeignProject): Promise<Here | undefined> {
  const { deps, target, journal, isDryRun } = run
  const known = journal.get('project', project.id)
  if (known?.outcome === 'done' && known.to !== undefined) return hereOf(run, known.to)
  await attempt(run, { kind: 'project', id: project.id, name: project.slug }, async () => {
    const grant = await deps.access.openOrg(operatorViewer, target.org.slug, 'project:create')
    const { slug, name, platform } = project
    const input = {
      slug,
      name: name.slice(0, 64),
      platform: /^[a-z0-9-]{1,32}$/.test(platform) ? platform : 'other',
    }
    const { id } = await createProject(deps, grant, input)
    const paused = await quietProject(deps.records, id)
    // Before the project is noted: a crash in between finds them off, and the list of those that were on.
    const before = journal.get(PAUSED_RULES, String(id))?.to
    const all = new Set([...(before ? (JSON.parse(before) as number[]) : []), ...paused])
    journal.note({
      kind: PAUSED_RULES,
      id: String(id),
      name: slug,
      outcome: 'done',
      to: JSON.stringify([...all]),
    })
    const mayWrite = await deps.access.openProject(operatorViewer, target.org.slug, slug, 'project:write')
    for (const team of project.teams)
      if ((await teamIdOf(run, team)) !== undefined)
        await setTeamProject(deps, mayWrite, { team, role: 'member' })
    return { to: slug }
  })
  const now = journal.get('project', project.id)
  if (isDryRun) return { id: 0, slug: project.slug, publicKey: '' }
  return now?.outcome === 'left' || now?.to === undefined ? undefined : hereOf(run, now.to)
}

/** The key that Sonde made: those that are imported may be off. */
async function hereOf({ deps, target }: RunImport, slug: string): Promise<Here | undefined> {
  const row = await deps.records
    .selectFrom('project')
    .innerJoin('project_key', 'project_key.project_id', 'project.id')
    .select(['project.id', 'project.slug', 'project_key.public_key'])
    .where('project.org_id', '=', target.org.id)
    .where('project.slug', '=', slug)
    .where('project_key.is_active', '=', 1)
    .orderBy('project_key.id')
    .executeTakeFirst()
  return row && { id: row.id, slug: row.slug, publicKey: row.public_key }
}

const importOneKey = (
  run: RunImport,
  project: ForeignProject,
  here: Here,
  key: Parameters<typeof importKey>[1],
): Promise<void> =>
  attempt(run, { kind: 'key', id: key.publicKey, name: `${project.slug}: ${key.label}` }, async () => {
    const { deps } = run
    const problem = await importKey(deps.records, key, {
      projectId: here.id,
      foreignProject: project.id,
      atMs: deps.clock.nowMs(),
    })
    return problem === undefined ? { to: here.slug } : left(problem)
  })

async function importReleases(
  run: RunImport,
  projects: readonly ForeignProject[],
  miss: (kind: string, why: string) => void,
): Promise<void> {
  const { source, target, onProgress } = run
  const slugs = new Set(projects.map(({ slug }) => slug))
  let number = 0
  for await (const { version, body, projects: of, deploys } of source.releases(miss)) {
    if (++number % 50 === 1) onProgress(`releases: ${number}`)
    await attempt(run, { kind: 'release', id: version, name: version }, async () => {
      const own = of.filter((slug) => slugs.has(slug))
      if (own.length === 0) return left('it is of no project that is here')
      const saved = await target.api('POST', `organizations/${target.org.slug}/releases/`, {
        ...body,
        projects: own,
      })
      if (saved.problem !== undefined) return left(saved.problem)
      const why: string[] = []
      const path = `organizations/${target.org.slug}/releases/${encodeURIComponent(version)}/deploys/`
      const known = await target.api('GET', path)
      if (known.problem === undefined && Array.isArray(known.body) && known.body.length === 0)
        for (const deploy of deploys.toReversed()) {
          const made = await target.api('POST', path, { ...deploy, projects: own })
          if (made.problem !== undefined) why.push(`a deploy: ${made.problem}`)
        }
      return { to: version, why }
    })
  }
}

async function importSearches(run: RunImport, miss: (kind: string, why: string) => void): Promise<void> {
  const { source, target } = run
  for await (const { id, name, query, sort } of source.searches(miss))
    await attempt(run, { kind: 'saved search', id, name }, async () => {
      const body = { name, query, sort, visibility: 'organization' }
      const saved = await target.api('POST', `organizations/${target.org.slug}/searches/`, body)
      return saved.problem === undefined ? { to: name } : left(`${saved.problem} (${query})`)
    })
}

/** Made while rules are off, and switched on at the end with those that were on there. */
async function importRules(
  run: RunImport,
  projects: readonly (ForeignProject & { readonly here: Here })[],
  miss: (kind: string, why: string) => void,
): Promise<void> {
  const { source, target } = run
  const { slug: org } = target.org
  const add = (kind: string, path: string, { id, name, body }: ForeignRule) =>
    attempt(run, { kind, id, name }, async () => {
      const isOff = body['status'] === 'disabled'
      const made = await target.api('POST', path, { ...body, name, status: 'disabled' })
      if (made.problem !== undefined) return left(made.problem)
      const ruleId = Number((made.body as { id?: unknown }).id)
      if (!isOff && Number.isSafeInteger(ruleId))
        run.journal.note({
          kind: PAUSED_RULES,
          id: `${kind} ${id}`,
          name,
          outcome: 'done',
          to: JSON.stringify([ruleId]),
        })
      return { to: String(ruleId) }
    })
  for (const project of projects)
    for await (const rule of source.issueRules(project, miss))
      await add('issue alert', `projects/${org}/${project.here.slug}/rules/`, rule)
  for await (const rule of source.metricRules(miss))
    await add('metric alert', `organizations/${org}/alert-rules/`, rule)
}

/** Rules look once at each change: those that were off then have nothing to say of what was imported. */
const LOOKED_WITHIN_MS = 60_000
async function resume(
  { deps, journal, isDryRun }: RunImport,
  projects: readonly { readonly here: Here }[],
): Promise<void> {
  if (isDryRun) return
  const ids = projects.map(({ here }) => here.id)
  for (const endMs = performance.now() + LOOKED_WITHIN_MS; performance.now() < endMs;) {
    if ((await pendingChanges(deps.records, ids)) === 0) break
    await sleep(250)
  }
  for (const paused of journal.all().filter(({ kind }) => kind === PAUSED_RULES)) {
    await resumeRules(deps.records, JSON.parse(paused.to ?? '[]') as number[])
    journal.note({ ...paused, to: '[]' })
  }
}

const peopleOf = (run: RunImport) => ({
  userId: (email: string) => userIdOf(run, email),
  teamId: (slug: string) => teamIdOf(run, slug),
})

async function userIdOf({ deps, target }: RunImport, email: string): Promise<string | undefined> {
  const row = await deps.records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('user.id')
    .where('member.org_id', '=', target.org.id)
    .where('user.email', '=', email)
    .executeTakeFirst()
  return row?.id
}

async function teamIdOf({ deps, target }: RunImport, slug: string): Promise<number | undefined> {
  const row = await deps.records
    .selectFrom('team')
    .select('id')
    .where('org_id', '=', target.org.id)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row?.id
}
