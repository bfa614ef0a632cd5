import { mayAlso } from '@sonde/access'
import { InvalidInput, readRetention, type RetentionRules, updateRetention } from '@sonde/commands'
import { projectRetention } from '@sonde/queries'
import { type ActionArgs, type Invalid, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { STORAGE_KIND_NAMES, storageKindInfo } from '@sonde/stores'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'project:read')
  return {
    ...(await projectRetention(
      { ...args.context.queries, retentionDays: args.context.retentionDays },
      grant,
    )),
    project: { slug: grant.projectSlug, name: grant.projectSlug },
    mayWrite: mayAlso(grant, 'project:write'),
  }
}

export type TriedRetention = RefusedForm & {
  /** What goes by the rules that were typed. */
  readonly preview?: Awaited<ReturnType<typeof projectRetention>>
}

export async function action(
  args: ActionArgs<AppContext, 'org' | 'project'>,
): Promise<Invalid<TriedRetention>> {
  const posted = fieldsOf(await args.formData())
  const grant = await projectGrant(args, 'project:write')
  const { commands, queries } = args.context
  try {
    const rules = readRetention(rulesOf(posted))
    if (posted.text('does') === 'preview')
      return invalid({
        form: 'retention',
        fields: {},
        preview: await projectRetention(queries, grant, rules),
      })
    await updateRetention(commands, grant, rules)
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ form: 'retention', fields: error.fields })
    throw error
  }
  return redirect(`${paths.retention(grant.orgSlug, grant.projectSlug)}?saved=retention`, 303)
}

const MB = 1_000_000

/** Empty: no rule. */
const rulesOf = (posted: PostedFields): RetentionRules =>
  Object.fromEntries(
    STORAGE_KIND_NAMES.filter((kind) => storageKindInfo(kind).rule === 'yes').map((kind) => {
      const [days, size] = [`${kind}.days`, `${kind}.megabytes`]
      return [
        kind,
        {
          keepDays: posted.text(days) === '' ? null : posted.number(days),
          maxBytes: posted.text(size) === '' ? null : Math.round(posted.number(size) * MB),
        },
      ]
    }),
  )
