/** What is stored of a person, of a project or of all of an organization: the same page and forms for both. */
import { Readable } from 'node:stream'
import type { Grant } from '@sonde/access'
import { erasePerson, InvalidInput, notePersonExport, personOfInput } from '@sonde/commands'
import { exportPerson, findPerson, type FoundPerson, listErasures } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, redirect } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { fieldsOf, type PostedFields } from '../forms/posted-fields.ts'

type PersonGrant = Grant<'event:delete', 'org' | 'project'>
type Posted = Pick<ActionArgs<AppContext>, 'context' | 'formData'>

/** What was typed, as it is looked for. */
export type ShownPerson = { readonly id: string; readonly email: string; readonly ip: string }
export type FoundAnswer = {
  readonly form: 'found'
  readonly person: ShownPerson
  readonly found: FoundPerson
}

export const loadPersonalData = async ({ queries }: AppContext, grant: PersonGrant) => ({
  name: nameOf(grant),
  erasures: await listErasures(queries, grant),
})

/** What has to be typed before somebody is erased. */
const nameOf = (grant: PersonGrant): string => ('projectSlug' in grant ? grant.projectSlug : grant.orgSlug)

/** Who it is stands in no address: forms are posted. `here`: the page. */
export async function changePersonalData({ context, formData }: Posted, grant: PersonGrant, here: string) {
  const posted = fieldsOf(await formData())
  const form = posted.text('form')
  try {
    const person = personOfInput('name a person', inputOf(posted))
    const shown: ShownPerson = { id: person.id ?? '', email: person.email ?? '', ip: person.ip ?? '' }
    if (form === 'find')
      return {
        form: 'found',
        person: shown,
        found: await findPerson(context.queries, grant, person),
      } as const
    if (form !== 'erase') return httpError(400)
    if (posted.text('confirm') !== nameOf(grant)) {
      const found = await findPerson(context.queries, grant, person)
      const fields = { confirm: [`type ${nameOf(grant)} to erase this person`] }
      return invalid({ form: 'erase', fields, person: shown, found } as const)
    }
    await erasePerson(context.commands, grant, person)
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ form: 'find', fields: error.fields } as const)
    throw error
  }
  return redirect(`${here}?saved=person-erase`, 303)
}

const inputOf = (posted: PostedFields) => ({
  id: posted.text('id'),
  email: posted.text('email'),
  ip: posted.text('ip'),
})

/** All of it as a file, written while it is read. */
export async function downloadPersonalData(
  { context, formData }: Posted,
  grant: PersonGrant,
): Promise<Response> {
  const posted = fieldsOf(await formData())
  const { queries, commands, blobs } = context
  const person = (() => {
    try {
      return personOfInput('name a person', inputOf(posted))
    } catch {
      return httpError(400)
    }
  })()
  await notePersonExport(commands, grant, person)
  const lines = exportPerson({ ...queries, blobs }, grant, person)
  return new Response(Readable.toWeb(Readable.from(lines, { objectMode: false })) as ReadableStream, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="person-${nameOf(grant)}.ndjson"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  })
}
