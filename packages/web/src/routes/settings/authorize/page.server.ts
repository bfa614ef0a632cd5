/**
 * Consent to what an application asks for by OAuth. Whoever is not signed in signs in first, with all that their account and
 * organization ask for. The answer goes back by a link of the page, never unasked: docs/decisions/0103-oauth.md.
 */
import { type AuthorizeRequest, shownTarget, ssoAddresses, type UserViewer } from '@sonde/access'
import { connectApp, type FieldErrors, InvalidInput, proofToConnect, scopesOfRole } from '@sonde/commands'
import { type ActionArgs, httpError, invalid, type LoadArgs } from '@sonde/router/server'
import { grantsOf, orEndPage, requireViewer } from '../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../parts/forms/posted-fields.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext>) {
  const viewer = requireViewer(args)
  const { access, commands } = args.context
  args.setHeader('cache-control', 'no-store')
  args.setHeader('referrer-policy', 'no-referrer')
  const read = access.oauth.readRequest(args.url.searchParams)
  if (!read.ok) return { fault: read.fault }
  const { request } = read
  const orgs = viewer.memberships.map(({ orgSlug, orgName }) => ({
    slug: orgSlug,
    name: orgName,
    scopes: scopesIn(viewer, orgSlug, request),
  }))
  const proof = await proofToConnect(commands, viewer)
  return {
    asking: {
      name: request.client.name,
      target: shownTarget(request.redirectUri),
      isForMcp: request.resource !== undefined,
      // Which the person may give in one of the organizations at least.
      scopes: request.scopes.filter((scope) => orgs.some(({ scopes }) => scopes.includes(scope))),
      beyond: request.scopes.filter((scope) => orgs.every(({ scopes }) => !scopes.includes(scope))),
    },
    orgs: orgs.filter(({ scopes }) => scopes.length > 0).map(({ slug, name }) => ({ slug, name })),
    email: viewer.email,
    proof,
    signInAgain: await pathToSignInAgain(args, viewer),
  }
}

/** Of who came by a provider, and has no password to give. */
async function pathToSignInAgain(
  { context, url }: LoadArgs<AppContext>,
  { ssoOrgId, memberships }: UserViewer,
): Promise<string | undefined> {
  const org = memberships.find(({ orgId }) => orgId === ssoOrgId)?.orgSlug
  if (org === undefined || !(await context.access.sso.door(org))) return undefined
  const start = new URL(ssoAddresses(context.publicUrl, org).start).pathname
  return `${start}?${new URLSearchParams({ next: url.pathname + url.search })}`
}

/** Those that were asked for and that the role includes. */
function scopesIn(viewer: UserViewer, orgSlug: string, request: AuthorizeRequest) {
  const role = viewer.memberships.find((membership) => membership.orgSlug === orgSlug)?.role
  const own = role === undefined ? [] : scopesOfRole(role)
  return request.scopes.filter((scope) => own.includes(scope))
}

/** The page that was posted leads the browser to `location`. */
type ConsentAnswer =
  | { readonly form: 'consent'; readonly fields: FieldErrors }
  | { readonly location: string; readonly isAllowed: boolean }

export async function action(args: ActionArgs<AppContext>) {
  args.setHeader('cache-control', 'no-store')
  args.setHeader('referrer-policy', 'no-referrer')
  const viewer = requireViewer(args)
  const { access, commands } = args.context
  const read = access.oauth.readRequest(args.url.searchParams)
  if (!read.ok) return httpError(400)
  const { request } = read
  const posted = fieldsOf(await args.formData())
  const answered = (answer: Readonly<Record<string, string>>, isAllowed: boolean): ConsentAnswer => ({
    location: access.oauth.answerUrl(request, answer),
    isAllowed,
  })
  if (posted.text('decision') === 'deny') return answered({ error: 'access_denied' }, false)
  if (posted.text('decision') !== 'allow') return httpError(400)
  const orgSlug = posted.text('org')
  const allowed: readonly string[] = scopesIn(viewer, orgSlug, request)
  try {
    const { code } = await orEndPage(
      grantsOf(args)
        .openOrg(orgSlug, 'org:read')
        .then((grant) =>
          connectApp(commands, grant, {
            request,
            // Less than was ticked where the role is less there.
            scopes: posted.all('scopes').filter((scope) => allowed.includes(scope)),
            currentPassword: posted.secret('currentPassword'),
          }),
        ),
    )
    return answered({ code }, true)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const answer: ConsentAnswer = { form: 'consent', fields: error.fields }
    return invalid(answer)
  }
}
