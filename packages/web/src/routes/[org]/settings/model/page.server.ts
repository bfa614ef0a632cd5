import { type Grant, mayAlso, requireAlso } from '@sonde/access'
import { deleteModel, type FieldErrors, InvalidInput, saveModel, testModel } from '@sonde/commands'
import { languageModel } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { orEndPage, orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields } from '../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

/** `own`: undefined for whoever may not change it; its `model` is undefined until one is set up. */
export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'org:read')
  const { orgName } = grant
  if (!mayAlso(grant, 'integration:write')) return { orgName, own: undefined }
  const model = await languageModel(args.context.queries, requireAlso(grant, 'integration:write'))
  return { orgName, own: { model } }
}

type ModelAnswer = {
  readonly form: string
  readonly fields: FieldErrors
  readonly tried?: { readonly isGood: boolean; readonly answer: string }
}

/** 303 with `?saved=…`, 422 with the errors of each field, or 200 with a test's answer. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  args.setHeader('cache-control', 'no-store')
  const grant = await orgGrant(args, 'integration:write')
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  try {
    return await orEndPage(change(args, grant, form, posted))
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const answer: ModelAnswer = { form, fields: error.fields }
    return invalid(answer)
  }
}

async function change(
  { context: { commands } }: LoadArgs<AppContext, 'org'>,
  grant: Grant<'integration:write', 'org'>,
  form: string,
  posted: PostedFields,
) {
  const saved = (what: SavedForm) => redirect(`${paths.languageModel(grant.orgSlug)}?saved=${what}`, 303)
  if (form === 'model') {
    const key = posted.text('key')
    await saveModel(commands, grant, {
      url: posted.text('url'),
      model: posted.text('model'),
      ...(posted.has('noKey') ? { key: '' } : key !== '' && { key }),
      inputPrice: priceOf(posted, 'inputPrice'),
      outputPrice: priceOf(posted, 'outputPrice'),
    })
    return saved('model-saved')
  }
  if (form === 'test') {
    const { isWorking, answer: said } = await testModel(commands, grant)
    const answer: ModelAnswer = { form: 'tried', fields: {}, tried: { isGood: isWorking, answer: said } }
    return answer
  }
  if (form === 'remove') {
    await deleteModel(commands, grant)
    return saved('model-removed')
  }
  return httpError(400)
}

/** Empty: nobody said. */
const priceOf = (posted: PostedFields, name: string): number | null =>
  posted.text(name) === '' ? null : posted.number(name)
