/** What the project's models cost. */
import { mayAlso } from '@sonde/access'
import { InvalidInput, updateAiPrices } from '@sonde/commands'
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
import { fieldsOf, type RefusedForm } from '../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'project:read')
  const settings = (await projectSettings(args.context.queries, grant)) ?? notFound()
  return {
    prices: settings.aiPrices
      .map(({ model, input, output, cached }) => [model, input, output, cached ?? ''].join(' ').trim())
      .join('\n'),
    mayWrite: mayAlso(grant, 'project:write'),
  }
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>): Promise<Invalid<RefusedForm>> {
  const posted = fieldsOf(await args.formData())
  const grant = await projectGrant(args, 'project:write')
  try {
    await updateAiPrices(args.context.commands, grant, { prices: posted.text('prices') })
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ form: 'ai-prices', fields: error.fields })
    throw error
  }
  return redirect(`${paths.aiPrices(grant.orgSlug, grant.projectSlug)}?saved=ai-prices`, 303)
}
