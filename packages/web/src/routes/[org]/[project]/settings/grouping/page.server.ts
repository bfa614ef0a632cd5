import type { Grant } from '@sonde/access'
import { mayAlso } from '@sonde/access'
import { GROUPING_MOVE_DAYS, InvalidInput, moveGrouping, updateGroupingRules } from '@sonde/commands'
import { projectSettings } from '@sonde/queries'
import {
  type ActionArgs,
  httpError,
  type Invalid,
  invalid,
  type LoadArgs,
  notFound,
  redirect,
} from '@sonde/router/server'
import { GROUPING_VERSIONS } from '@sonde/stores'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import type { TrialPage } from './trial-summary.ts'
import { tryAll } from './try-grouping.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'project:read')
  const settings = await projectSettings(queries, grant)
  if (!settings) return notFound()
  const { fingerprintRules, stackRules, version, previous } = settings.grouping
  return {
    project: { slug: settings.slug, name: settings.name },
    fingerprintRules,
    stackRules,
    version,
    versions: GROUPING_VERSIONS,
    previous,
    isMoving: previous !== null && clock.nowMs() < previous.untilMs,
    moveDays: GROUPING_MOVE_DAYS,
    mayWrite: mayAlso(grant, 'project:write'),
  }
}

export type RefusedGrouping = RefusedForm & {
  /** Without scripts: the rules were only tried. */
  readonly trial?: TrialPage
}

export async function action(
  args: ActionArgs<AppContext, 'org' | 'project'>,
): Promise<Invalid<RefusedGrouping>> {
  const posted = fieldsOf(await args.formData())
  const grant = await projectGrant(args, 'project:write')
  const form = posted.text('form')
  try {
    if (posted.text('does') === 'try')
      return invalid({ form, fields: {}, trial: await tryAll(args.context, grant, posted) })
    return redirect(
      `${paths.groupingSettings(grant.orgSlug, grant.projectSlug)}?saved=${await change(args.context, grant, form, posted)}`,
      303,
    )
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ form, fields: error.fields })
    throw error
  }
}

async function change(
  { commands }: AppContext,
  grant: Grant<'project:write', 'project'>,
  form: string,
  posted: PostedFields,
): Promise<SavedForm> {
  if (form === 'grouping-rules') {
    const rules = { fingerprintRules: posted.text('fingerprintRules'), stackRules: posted.text('stackRules') }
    await updateGroupingRules(commands, grant, rules)
    return 'grouping-rules'
  }
  const version = GROUPING_VERSIONS.find((each) => each === posted.text('version'))
  if (form !== 'grouping-version' || version === undefined) return httpError(400)
  await moveGrouping(commands, grant, { version })
  return 'grouping-version'
}
