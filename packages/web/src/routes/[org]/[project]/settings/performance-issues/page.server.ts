/** Which performance issues are found in a project, and from what on; tries other thresholds on spans of the last day. */
import { mayAlso } from '@sonde/access'
import {
  changedDetectors,
  checkDetectors,
  type DetectorsInput,
  InvalidInput,
  updateDetectors,
} from '@sonde/commands'
import { PERFORMANCE_TYPES } from '@sonde/protocol/issue-category'
import { DETECTORS } from '@sonde/protocol/performance-detectors'
import { projectSettings } from '@sonde/queries'
import {
  type ActionArgs,
  type Invalid,
  invalid,
  type LoadArgs,
  notFound,
  redirect,
} from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { type DetectorPreview, tryDetectors } from './try-detectors.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'project:read')
  const settings = (await projectSettings(args.context.queries, grant)) ?? notFound()
  return {
    project: { slug: settings.slug, name: settings.name },
    rules: settings.detectors,
    mayWrite: mayAlso(grant, 'project:write'),
  }
}

export type RefusedDetectors = RefusedForm & {
  /** They were only tried. */
  readonly preview?: DetectorPreview
}

export async function action(
  args: ActionArgs<AppContext, 'org' | 'project'>,
): Promise<Invalid<RefusedDetectors>> {
  const posted = fieldsOf(await args.formData())
  const grant = await projectGrant(args, 'project:write')
  const form = 'detectors'
  try {
    const input = postedDetectors(posted)
    if (posted.text('does') === 'try') {
      checkDetectors(input)
      const readable = await projectGrant(args, 'event:read')
      const preview = await tryDetectors(args.context, readable, changedDetectors({}, input))
      return invalid({ form, fields: {}, preview })
    }
    await updateDetectors(args.context.commands, grant, input)
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ form, fields: error.fields })
    throw error
  }
  return redirect(`${paths.detectors(grant.orgSlug, grant.projectSlug)}?saved=detectors`, 303)
}

/** All of them: an unticked box is not posted. */
function postedDetectors(posted: PostedFields): DetectorsInput {
  return Object.fromEntries(
    PERFORMANCE_TYPES.map((type) => {
      const thresholds = DETECTORS[type].thresholds.map(({ key, unit }): [string, number] => {
        const typed = posted.number(`${type}.${key}`)
        return [key, unit === 'bytes' ? Math.round(typed * 1024) : typed]
      })
      return [type, { isOn: posted.has(type), thresholds: Object.fromEntries(thresholds) }]
    }),
  )
}
