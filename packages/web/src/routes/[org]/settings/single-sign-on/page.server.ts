import { mayAlso, requireAlso } from '@sonde/access'
import { ssoAddresses } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  addSsoDomain,
  addSsoGroup,
  deleteSsoConnection,
  endScimToken,
  domainProof,
  type FieldErrors,
  InvalidInput,
  makeScimToken,
  removeSsoDomain,
  removeSsoGroup,
  saveSsoConnection,
  type SaveSsoInput,
  switchSso,
  verifySsoDomain,
} from '@sonde/commands'
import { listTeams, scimSettings, ssoAddressesOf, ssoDomains, ssoSettings } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import type { SsoKind, SsoRole } from '@sonde/stores'
import { orEndPage, orgGrant, requireViewer } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields } from '../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

const kindOf = (text: string | null): SsoKind | undefined =>
  text === 'oidc' || text === 'saml' ? text : undefined

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'org:read')
  const { orgName, orgSlug } = grant
  const kind = kindOf(args.url.searchParams.get('kind'))
  const failed = args.url.searchParams.get('failed')
  if (!mayAlso(grant, 'org:write')) return { orgName, kind, failed, owned: undefined }
  const own = requireAlso(grant, 'org:write')
  const { context } = args
  const [connection, domains, teams, scim] = await Promise.all([
    ssoSettings(context.queries, own),
    ssoDomains(context.queries, own),
    listTeams(context.queries, requireAlso(grant, 'member:read')),
    scimSettings(context.queries, own),
  ])
  const viewer = requireViewer(args)
  const start = new URL(ssoAddresses(context.publicUrl, orgSlug).start).pathname
  const proof = context.access.sso.proofOf(viewer, orgSlug)
  return {
    orgName,
    kind,
    failed,
    owned: {
      connection,
      scim,
      domains: domains.map((row) => ({ ...row, proof: domainProof(row.domain, row.token) })),
      teams: teams.map(({ id, slug, name }) => ({ id, slug, name })),
      addresses: ssoAddressesOf(context.queries, own),
      signInUrl: context.publicUrl + paths.signInSso(orgSlug),
      /** A session that began with a provider tries none. */
      testUrl: viewer.ssoOrgId === undefined ? `${start}?intent=test&proof=${proof}` : undefined,
    },
  }
}

type SsoAnswer = { readonly form: string; readonly fields: FieldErrors }

/** 303 with `?saved=…`, or 422 with the errors of each field. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  args.setHeader('cache-control', 'no-store')
  const grant = await orgGrant(args, 'org:write')
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  try {
    if (form === 'scim-token') {
      const currentPassword = posted.secret('currentPassword')
      const { token } = await makeScimToken(args.context.commands, grant, { currentPassword })
      return { form: 'scim-made', fields: {}, madeToken: { name: 'SCIM', token } }
    }
    const saved = await orEndPage(change(args, grant, form, posted))
    return redirect(`${paths.singleSignOn(grant.orgSlug)}?saved=${saved}`, 303)
  } catch (error) {
    const fields = refusal(error)
    if (!fields) throw error
    const answer: SsoAnswer = { form: form === 'domain' ? `domain-${posted.text('domain')}` : form, fields }
    return invalid(answer)
  }
}

async function change(
  { context: { commands } }: ActionArgs<AppContext, 'org'>,
  grant: Parameters<typeof switchSso>[1],
  form: string,
  posted: PostedFields,
): Promise<SavedForm> {
  const domain = posted.text('domain')
  if (form === 'provider') {
    const { needsTest } = await saveSsoConnection(commands, grant, providerOf(posted))
    return needsTest ? 'sso-saved' : 'sso-kept'
  }
  if (form === 'switch') {
    const isOn = posted.text('on') === 'yes'
    await switchSso(commands, grant, { isOn, isRequired: posted.text('required') === 'yes' })
    return isOn ? 'sso-on' : 'sso-off'
  }
  if (form === 'new-domain') {
    await addSsoDomain(commands, grant, { domain })
    return 'sso-domain'
  }
  if (form === 'domain' && posted.text('does') === 'verify') {
    await verifySsoDomain(commands, grant, { domain })
    return 'sso-domain-verified'
  }
  if (form === 'domain') {
    await removeSsoDomain(commands, grant, { domain })
    return 'sso-domain-removed'
  }
  if (form === 'new-group') {
    const [role, teamId] = [posted.text('role'), posted.text('teamId')]
    await addSsoGroup(commands, grant, {
      group: posted.text('group'),
      // A role that is none is refused by the command, in words.
      role: role === '' ? null : (role as SsoRole),
      teamId: teamId === '' ? null : Number(teamId),
    })
    return 'sso-groups'
  }
  if (form === 'group') {
    await removeSsoGroup(commands, grant, { id: posted.number('id') })
    return 'sso-groups'
  }
  if (form === 'scim-off') {
    await endScimToken(commands, grant)
    return 'scim-off'
  }
  if (form === 'delete') {
    await deleteSsoConnection(commands, grant)
    return 'sso-deleted'
  }
  return httpError(400)
}

function providerOf(posted: PostedFields): SaveSsoInput {
  const shared = {
    name: posted.text('name'),
    makesAccounts: posted.has('makesAccounts'),
    defaultRole: posted.text('defaultRole') as SsoRole,
    sessionHours: posted.number('sessionHours'),
  }
  if (kindOf(posted.text('kind')) === 'saml')
    return {
      ...shared,
      kind: 'saml',
      metadata: posted.text('metadata'),
      metadataUrl: posted.text('metadataUrl'),
      settings: {
        emailAttribute: posted.text('emailAttribute'),
        nameAttribute: posted.text('nameAttribute'),
        groupsAttribute: posted.text('groupsAttribute'),
        allowsProviderStart: posted.has('allowsProviderStart'),
      },
    }
  return {
    ...shared,
    kind: 'oidc',
    clientSecret: posted.text('clientSecret'),
    settings: {
      issuer: posted.text('issuer'),
      clientId: posted.text('clientId'),
      scopes: posted
        .text('scopes')
        .split(/[\s,]+/)
        .filter((scope) => scope !== ''),
      groupsClaim: posted.text('groupsClaim') === '' ? 'groups' : posted.text('groupsClaim'),
      trustsEmail: posted.has('trustsEmail'),
    },
  }
}

/** What cannot be done now is said beside the form, like a field that is wrong. */
function refusal(error: unknown): FieldErrors | undefined {
  if (error instanceof InvalidInput) return error.fields
  const isConflict = error instanceof SondeError && error.kind === 'conflict'
  return isConflict ? { form: [error.message] } : undefined
}
