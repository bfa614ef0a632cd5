import { type Grant, mayAlso } from '@sonde/access'
import {
  applyOwnership,
  deleteCodeowners,
  InvalidInput,
  saveCodeowners,
  setCodeownersOwner,
  updateOwnership,
} from '@sonde/commands'
import {
  codeownersFiles,
  codeownersNames,
  listProjects,
  ownerTexts,
  projectOwnership,
  type TriedRules,
  tryOwnershipRules,
} from '@sonde/queries'
import {
  type ActionArgs,
  httpError,
  type Invalid,
  invalid,
  type LoadArgs,
  notFound,
  redirect,
} from '@sonde/router/server'
import { AUTO_ASSIGNMENTS } from '@sonde/stores'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

/** More of them nobody goes through in one go. */
const MAX_UNKNOWN = 50

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries } = args.context
  const grant = await projectGrant(args, 'project:read')
  const [[project], ownership, files, names, owners] = await Promise.all([
    listProjects(queries, grant),
    projectOwnership(queries, grant),
    codeownersFiles(queries, grant),
    codeownersNames(queries, grant),
    ownerTexts(queries, grant),
  ])
  if (!project) return notFound()
  const unknown = [...new Set(files.flatMap((file) => file.unknown))].filter((name) => name.startsWith('@'))
  return {
    project: { slug: project.slug, name: project.name },
    ownership,
    files,
    names: names.map(({ name, owner }) => ({ name, owner: owner.text })),
    unknown: unknown.slice(0, MAX_UNKNOWN),
    unknownCount: unknown.length,
    owners,
    mayWrite: mayAlso(grant, 'project:write'),
  }
}

export type RefusedOwnership = RefusedForm & {
  /** Without scripts: the rules were only tried. */
  readonly tried?: TriedRules
}

export async function action(
  args: ActionArgs<AppContext, 'org' | 'project'>,
): Promise<Invalid<RefusedOwnership>> {
  const posted = fieldsOf(await args.formData())
  const grant = await projectGrant(args, 'project:write')
  const form = posted.text('form')
  try {
    if (form === 'ownership' && posted.text('does') === 'try')
      return invalid({ form, fields: {}, tried: await tryPosted(args, posted) })
    return redirect(
      `${paths.ownership(grant.orgSlug, grant.projectSlug)}?saved=${await change(args.context, grant, form, posted)}`,
      303,
    )
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ form: formName(form, posted), fields: error.fields })
    throw error
  }
}

/** Of several forms of one kind that which was posted. */
const formName = (form: string, posted: PostedFields): string =>
  form === 'codeowners'
    ? `codeowners-${posted.text('id')}`
    : form === 'codeowners-owner'
      ? `codeowners-owner-${posted.text('name')}`
      : form

export async function tryPosted(
  args: ActionArgs<AppContext, 'org' | 'project'>,
  posted: PostedFields,
): Promise<TriedRules> {
  const grant = await projectGrant(args, 'event:read')
  const sample = posted.text('sample').slice(0, 2_000)
  return tryOwnershipRules(args.context.queries, grant, { rules: posted.text('rules'), sample })
}

async function change(
  { commands }: AppContext,
  grant: Grant<'project:write', 'project'>,
  form: string,
  posted: PostedFields,
): Promise<SavedForm> {
  if (form === 'ownership') {
    const autoAssignment = AUTO_ASSIGNMENTS.find((each) => each === posted.text('autoAssignment'))
    const isForAll = posted.has('isForAll')
    await updateOwnership(commands, grant, { rules: posted.text('rules'), autoAssignment, isForAll })
    return 'ownership'
  }
  if (form === 'ownership-apply') {
    await applyOwnership(commands, grant)
    return 'ownership-applied'
  }
  if (form === 'codeowners-owner') {
    await setCodeownersOwner(commands, grant, { name: posted.text('name'), owner: posted.text('owner') })
    return 'codeowners-owner'
  }
  if (form !== 'codeowners') return httpError(400)
  const id = posted.text('id') === '' ? undefined : posted.number('id')
  if (posted.text('does') === 'delete' && id !== undefined) {
    await deleteCodeowners(commands, grant, { id })
    return 'codeowners-deleted'
  }
  await saveCodeowners(commands, grant, {
    id,
    repository: posted.text('repository'),
    content: posted.text('content'),
    stackRoot: posted.text('stackRoot'),
    sourceRoot: posted.text('sourceRoot'),
  })
  return 'codeowners'
}
