/** What the arguments of tools name: an organization, a project, an issue, a time. All of it through the one permission check. */
import type { Grant, Permission } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { findIssue, type IssueRow, parsePeriodMs } from '@sonde/queries'
import { z } from 'zod'
import type { ToolContext } from './tool.ts'

export const organization = z
  .string()
  .max(100)
  .optional()
  .describe('Slug of the organization. Needed only if the token opens several.')
export const project = z.string().min(1).max(100).describe('Slug of the project, as list_projects has it.')
export const issue = z
  .string()
  .min(1)
  .max(500)
  .describe('Short id such as SHOP-42, numeric id, or the address of the issue in Sonde.')
export const period = (usual: string) =>
  z
    .string()
    .max(10)
    .default(usual)
    .describe(`Until now, for example 1h, 24h, 14d; at most 90d. ${usual} unless told.`)

export async function openOrg<P extends Permission>(
  { grants }: ToolContext,
  slug: string | undefined,
  permission: P,
): Promise<Grant<P, 'org'>> {
  if (slug !== undefined) return grants.openOrg(slug, permission)
  const [only, ...others] = await grants.openOrgs(permission)
  if (!only) throw refused('forbidden', `the token has no organization in which it may ${permission}`)
  if (others.length === 0) return only
  const slugs = [only, ...others].map(({ orgSlug }) => orgSlug)
  throw refused('invalid', `say which organization: ${slugs.slice(0, 20).join(', ')}`)
}

export async function openProject<P extends Permission>(
  context: ToolContext,
  input: { readonly organization?: string | undefined; readonly project: string },
  permission: P,
): Promise<Grant<P, 'project'>> {
  const slug = input.organization ?? (await openOrg(context, undefined, permission)).orgSlug
  return context.grants.openProject(slug, input.project, permission)
}

export type OpenedIssue<P extends Permission> = {
  readonly grant: Grant<P, 'org'>
  readonly issue: IssueRow
  /** Absolute. */
  readonly url: string
}

/** One that became part of another is that. */
export async function openIssue<P extends 'event:read' | 'event:write'>(
  context: ToolContext,
  input: { readonly organization?: string | undefined; readonly issue: string },
  permission: P,
): Promise<OpenedIssue<P>> {
  const grant = await openOrg(context, input.organization, permission)
  const ref = refOf(input.issue)
  const found = await findIssue(context.queries, grant, ref)
  if (!found) throw refused('not-found', `no issue ${ref.slice(0, 100)} that this token sees`)
  const url = context.links.issue(grant.orgSlug, found.project.slug, found.shortId)
  return { grant, issue: found, url }
}

const refOf = (text: string): string => /\/issues\/([^/?#]+)/.exec(text)?.[1] ?? text.trim()

const MAX_PERIOD_MS = 90 * 86_400_000

export function windowOf(text: string, nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const lengthMs = parsePeriodMs(text)
  if (!lengthMs || lengthMs > MAX_PERIOD_MS)
    throw refused('invalid', 'period is for example 24h or 14d, and at most 90d')
  return { fromMs: Math.max(0, nowMs - lengthMs), toMs: nowMs + 60_000 }
}

export const refused = (kind: 'invalid' | 'forbidden' | 'not-found', message: string): SondeError =>
  new SondeError(kind, message, { operation: 'use a tool' })
