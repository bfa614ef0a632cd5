/** What the forms of a project's settings post: the field `form` says which one it is. */
import type { Grant } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  type CommandDeps,
  createKey,
  deleteKey,
  deleteProject,
  InvalidInput,
  removeTeamProject,
  rotateKey,
  scrubStoredEvents,
  setTeamProject,
  updateKey,
  updateProject,
} from '@sonde/commands'
import { type ScrubTrial, scrubTrial } from '@sonde/queries'
import { type ActionArgs, httpError, type Invalid, invalid, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../parts/forms/saved-notice.tsx'
import { postedTeamRole } from '../../../../parts/teams/posted-role.server.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { changeRules, RULE_FORMS, type ShownPreview, tryRules } from './change-rules.server.ts'
import { postedLimit } from './limit-text.ts'
import { type ShownSampling, shownSampling } from './try-sampling.server.ts'

type Args = ActionArgs<AppContext, 'org' | 'project'>
export type Refused = RefusedForm & {
  /** Without scripts: the rules were only tried, which leaves the form as it was typed. */
  readonly preview?: ShownPreview
  /** The saved rules were tried on what is stored. */
  readonly stored?: ScrubTrial
  /** The rows of the sampling rules as they were posted, or as a button left them. */
  readonly sampling?: ShownSampling
}

/** 303 to the settings with `?saved=…`, or 422 with the errors of each field. */
export async function changeProject(args: Args): Promise<Invalid<Refused>> {
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  if (form === 'delete-project') return deleteIt(args, posted)
  const grant = await projectGrant(args, 'project:write')
  const { commands } = args.context
  const saved = (what: SavedForm, project = grant.projectSlug): never =>
    redirect(`${paths.projectSettings(grant.orgSlug, project)}?saved=${what}`, 303)
  try {
    if (form === 'project') {
      const input = {
        name: posted.text('name'),
        slug: posted.text('slug'),
        platform: posted.text('platform'),
      }
      const { slug } = await updateProject(commands, grant, input)
      return saved('project', slug)
    }
    if (form === 'new-key') {
      await createKey(commands, grant, { label: posted.text('label') })
      return saved('key-made')
    }
    if (form === 'team') return saved(await orEndPage(changeTeam(commands, grant, posted)))
    if (form === 'key') return saved(await changeKey(commands, grant, posted))
    if (form === 'scrub-stored') {
      if (posted.text('does') === 'preview') {
        const stored = await scrubTrial(args.context.queries, grant, args.request.signal)
        return invalid({ form, fields: {}, stored })
      }
      await scrubStoredEvents(commands, grant)
      return saved('scrub-stored')
    }
    if (form === 'scrubbing' && posted.text('does') === 'try') {
      return invalid({ form, fields: {}, preview: tryRules(args.context.previewScrub, posted) })
    }
    if (form === 'sampling' && posted.text('does') !== 'save') {
      return invalid({ form, fields: {}, sampling: await shownSampling(args.context.queries, grant, posted) })
    }
    const rules = RULE_FORMS.find((each) => each === form)
    if (rules) {
      await changeRules(commands, grant, rules, posted)
      return saved(rules)
    }
    return httpError(400)
  } catch (error) {
    if (error instanceof InvalidInput) {
      const name = form === 'key' ? `key-${posted.text('keyId')}` : form
      const typed = form === 'sampling' && {
        sampling: await shownSampling(args.context.queries, grant, posted),
      }
      return invalid({ form: name, fields: error.fields, ...typed })
    }
    // Somebody else deleted the key meanwhile: the list shows it.
    if (form === 'key' && isNotFound(error)) return saved('key-gone')
    throw error
  }
}

async function deleteIt(args: Args, posted: PostedFields): Promise<Invalid<Refused>> {
  const grant = await projectGrant(args, 'project:delete')
  try {
    const input = { confirmSlug: posted.text('confirmSlug') }
    const { deletedId } = await orEndPage(deleteProject(args.context.commands, grant, input))
    return redirect(`${paths.org(grant.orgSlug)}?deleted=${deletedId}`, 303)
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ form: 'delete-project', fields: error.fields })
    throw error
  }
}

async function changeKey(
  commands: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  posted: PostedFields,
): Promise<SavedForm> {
  const keyId = posted.number('keyId')
  const does = posted.text('does')
  if (does === 'rotate') {
    await rotateKey(commands, grant, { keyId, graceHours: posted.number('graceHours') })
    return 'key-rotated'
  }
  if (does === 'delete') {
    await deleteKey(commands, grant, { keyId })
    return 'key-deleted'
  }
  if (does === 'enable' || does === 'disable') {
    await updateKey(commands, grant, { keyId, isActive: does === 'enable' })
    return does === 'enable' ? 'key-enabled' : 'key-disabled'
  }
  await updateKey(commands, grant, { keyId, label: posted.text('label'), rateLimit: postedLimit(posted) })
  return 'key-changed'
}

async function changeTeam(
  commands: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  posted: PostedFields,
): Promise<SavedForm> {
  const team = posted.text('team')
  if (posted.text('does') === 'take') {
    await removeTeamProject(commands, grant, { team })
    return 'team-project-removed'
  }
  await setTeamProject(commands, grant, { team, role: postedTeamRole(posted) })
  return 'team-project-saved'
}

const isNotFound = (error: unknown): boolean => errorKind(error) === 'not-found'
