/** Deletes a project, or an organization: nobody sees it from now on, and for a day it can be restored (`restore-deleted.ts`). */
import { actorOf, type Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { hideOrganization, hideProject, withHidden, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'

const INPUT = z.object({ confirmSlug: z.string() })

export type ConfirmedDeletion = { readonly confirmSlug: string }
/** Names it in the list of what was deleted. */
export type WholeDeleted = { readonly deletedId: number }

/** Its keys are refused from now on. Throws `InvalidInput`: `confirmSlug` is not its slug, `SondeError` (`not-found`). */
export async function deleteProject(
  deps: CommandDeps,
  grant: Grant<'project:delete', 'project'>,
  input: ConfirmedDeletion,
): Promise<WholeDeleted> {
  const operation = 'delete a project'
  const { projectId, projectSlug, orgId, viewer } = grant
  confirm(operation, input, projectSlug)
  const atMs = deps.clock.nowMs()
  const who = { orgId, actor: actorOf(viewer), atMs }
  return writeTransaction(deps.records, async (tx) => {
    const deletedId = await hideProject(withHidden(tx), who, projectId)
    if (deletedId === undefined) throw gone(operation, projectSlug)
    const entry = { orgId, viewer, atMs, action: 'project.delete', subject: nameOf(grant) } as const
    await writeAudit(tx, { ...entry, detail: { projectId } })
    return { deletedId }
  })
}

/** With all its projects; its members, tokens and links open nothing from now on. Throws as `deleteProject`. */
export async function deleteOrganization(
  deps: CommandDeps,
  grant: Grant<'org:write', 'org'>,
  input: ConfirmedDeletion,
): Promise<WholeDeleted> {
  const operation = 'delete an organization'
  const { orgId, orgSlug, viewer } = grant
  confirm(operation, input, orgSlug)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const deletedId = await hideOrganization(withHidden(tx), { orgId, actor: actorOf(viewer), atMs })
    if (deletedId === undefined) throw gone(operation, orgSlug)
    await writeAudit(tx, { orgId, viewer, atMs, action: 'organization.delete', subject: orgSlug })
    return { deletedId }
  })
}

function confirm(operation: string, input: ConfirmedDeletion, slug: string): void {
  const { confirmSlug } = readInput(operation, INPUT, input)
  if (confirmSlug.trim() !== slug)
    throw new InvalidInput(operation, { confirmSlug: [`type ${slug} to delete it`] })
}

const gone = (operation: string, subject: string): SondeError =>
  new SondeError('not-found', 'it was deleted meanwhile', { operation, subject })
