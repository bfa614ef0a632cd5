/** Notes that a release was put somewhere: a marker on charts. */
import { type Grant, projectsToName } from '@sonde/access'
import { writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { readInput } from '../fields.ts'
import {
  linkField,
  projectsField,
  projectsNamed,
  releaseIdOf,
  timeField,
  versionField,
} from './release-fields.ts'

const INPUT = z.object({
  version: versionField,
  environment: z
    .string({ error: 'is needed' })
    .trim()
    .min(1, 'is needed')
    .max(64, 'has at most 64 characters')
    .refine((name) => !/[\n\r\f/]/.test(name), 'has no slash or line break'),
  name: z.string().max(200, 'has at most 200 characters').nullish(),
  url: linkField.nullish(),
  dateStarted: timeField.nullish(),
  dateFinished: timeField.nullish(),
  projects: projectsField.nullish(),
})
/** As a request has them: checked field by field. Without projects: all of the release. */
export type DeployInput = Readonly<Record<keyof z.input<typeof INPUT>, unknown>>

/** Throws `InvalidInput`, `SondeError` (`not-found`). */
export async function createDeploy(
  deps: CommandDeps,
  grant: Grant<'release:write', 'org' | 'project'>,
  input: Partial<DeployInput>,
): Promise<{ readonly id: number }> {
  const operation = 'create a deploy'
  const given = readInput(operation, INPUT, input)
  const { version, environment } = given
  const projects = given.projects ?? []
  const projectIds = await projectsNamed(deps.records, grant, operation, projects)
  const { orgId, orgSlug, viewer } = grant
  const known = projectsToName(grant, 'release:write')
  const nowMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const releaseId = await releaseIdOf(tx, grant, version, operation)
    const { id } = await tx
      .insertInto('deploy')
      .values({
        release_id: releaseId,
        environment,
        name: given.name ?? null,
        url: given.url ?? null,
        started_ms: given.dateStarted ?? null,
        finished_ms: given.dateFinished ?? nowMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const all = await tx
      .selectFrom('release_project')
      .select('project_id')
      .where('release_id', '=', releaseId)
      .$if(known !== undefined, (query) => query.where('project_id', 'in', known ?? []))
      .execute()
    const into = projectIds.length > 0 ? projectIds : all.map((row) => row.project_id)
    for (const projectId of into)
      await tx.insertInto('deploy_project').values({ deploy_id: id, project_id: projectId }).execute()
    const subject = `${orgSlug} ${version}`
    const detail = { environment }
    await writeAudit(tx, { orgId, viewer, action: 'deploy.create', subject, detail, atMs: nowMs })
    return { id }
  })
}
