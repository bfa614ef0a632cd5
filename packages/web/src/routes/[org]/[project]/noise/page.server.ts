/** What the project was sent and did not cause, what became of it, and the rules for that. */
import { mayAlso } from '@sonde/access'
import { InvalidInput, updateProjectNoise } from '@sonde/commands'
import { NOISE_ACTIONS, NOISE_CLASSES, type NoiseAction } from '@sonde/protocol/noise'
import { noiseLedger, projectKeys, projectSettings } from '@sonde/queries'
import {
  type ActionArgs,
  type Invalid,
  invalid,
  type LoadArgs,
  notFound,
  redirect,
} from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { performanceFilterOf } from '../../../../parts/filter-bar/filter-of.server.ts'
import { fieldsOf, type RefusedForm } from '../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { reasonRow } from './reason-row.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { fromMs, toMs } = performanceFilterOf(args.url.searchParams, clock.nowMs())
  const [{ reasons, ...ledger }, settings] = await Promise.all([
    noiseLedger(queries, grant, { fromMs, toMs }),
    projectSettings(queries, grant),
  ])
  if (!settings) return notFound()
  const { kept, thinned, dropped, refused, discarded } = ledger.totals
  const isEmpty = kept + thinned + dropped + refused + discarded === 0
  const keys = isEmpty ? await projectKeys(queries, grant) : []
  return {
    ...ledger,
    reasons: reasons.map((row) => reasonRow(row, grant.orgSlug, grant.projectSlug)),
    noise: settings.noise,
    platform: settings.platform,
    isEmpty,
    dsn: keys.find((key) => key.isActive)?.dsn,
    mayWrite: mayAlso(grant, 'project:write'),
  }
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>): Promise<Invalid<RefusedForm>> {
  const posted = fieldsOf(await args.formData())
  const grant = await projectGrant(args, 'project:write')
  const actions = Object.fromEntries(
    NOISE_CLASSES.map((name) => [name, actionOf(posted.text(name)) ?? 'keep']),
  )
  try {
    await updateProjectNoise(args.context.commands, grant, {
      actions,
      fullPerDay: posted.number('fullPerDay'),
    })
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ form: 'noise', fields: error.fields })
    throw error
  }
  return redirect(`${paths.noise(grant.orgSlug, grant.projectSlug)}?saved=noise`, 303)
}

const actionOf = (text: string): NoiseAction | undefined => NOISE_ACTIONS.find((each) => each === text)
