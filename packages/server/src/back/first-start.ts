/** What must be there before anybody comes: an owner, and a project to send to. Says what a person needs to begin. */
import { operatorViewer } from '@sonde/access'
import { type CommandDeps, ensureProject, DEFAULT_ORG_SLUG, ensureOwner } from '@sonde/commands'
import { withLease } from '@sonde/jobs'
import { dsnFor } from '@sonde/queries'
import type { Config } from '../config/config.ts'

const FIRST_PROJECT = 'my-app'

/** What it does takes well under a second. A start that died in it delays the next by so long. */
const LEASE_MS = 15_000

/**
 * Lines for the terminal; at a later start none, unless nobody may look after the installation. Of several nodes that start
 * at once on empty records one makes the owner and says so, and the others find it.
 */
export function firstStart(deps: CommandDeps, config: Config): Promise<readonly string[]> {
  const { records, clock } = deps
  return withLease({ records, clock, name: 'first start', leaseMs: LEASE_MS }, () => begin(deps, config))
}

async function begin(deps: CommandDeps, config: Config): Promise<readonly string[]> {
  const owner = await ensureOwner(deps, { email: config.ownerEmail, password: config.ownerPassword })
  if (!owner.isNew) return (await hasOperator(deps)) ? [] : NO_OPERATOR
  const project = await firstProject(deps)
  const password = owner.generatedPassword ?? '(from SONDE_OWNER_PASSWORD)'
  return [
    '',
    `  Sign in    ${owner.email}`,
    `  Password   ${password}${owner.generatedPassword ? '   (shown only now)' : ''}`,
    `  DSN        ${dsnFor(config.publicUrl, project.publicKey, project.id)}   (${project.orgSlug}/${project.slug})`,
    '',
    'Point any Sentry SDK at the DSN; events appear on the screen within a second.',
  ]
}

const NO_OPERATOR = [
  '',
  'Nobody may see the state of this installation on its screens. Choose somebody:',
  '  sonde user set-operator --email EMAIL',
]

async function hasOperator({ records }: CommandDeps): Promise<boolean> {
  const operator = await records
    .selectFrom('user')
    .select('id')
    .where('isOperator', '=', 1)
    .where('disabledMs', 'is', null)
    .executeTakeFirst()
  return operator !== undefined
}

/** The one that the command line made before, or a new one. */
async function firstProject(deps: CommandDeps) {
  const known = await deps.records
    .selectFrom('project')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select(['organization.slug as org', 'project.slug as slug'])
    .orderBy('project.id')
    .executeTakeFirst()
  return ensureProject(
    deps,
    operatorViewer,
    known ?? { org: DEFAULT_ORG_SLUG, slug: FIRST_PROJECT, platform: 'javascript' },
  )
}
