import { type ActionArgs, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { nextOf, pathAfterSignIn } from '../../../parts/access/same-origin-path.server.ts'
import { fieldsOf } from '../../../parts/forms/posted-fields.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export function load({ context, url }: LoadArgs<AppContext>) {
  if (context.viewer) redirect(pathAfterSignIn(url), 303)
  return { next: nextOf(url) }
}

/** 303 to the organization's own page; 422 when nobody has the domain. Nothing is told of addresses, only of domains. */
export async function action({ context, url, formData }: ActionArgs<AppContext>) {
  const typed = fieldsOf(await formData())
    .text('email')
    .toLowerCase()
  const { sso } = context.access
  const isAddress = typed.includes('@')
  const [door] = isAddress ? await sso.doorsFor(typed) : [await sso.door(typed)]
  if (door) return redirect(paths.signInSso(door.orgSlug, { next: nextOf(url) }), 303)
  return invalid({
    message: isAddress
      ? 'No organization signs in people of this domain. Enter the organization’s short name, as it stands in its addresses, or sign in with your password.'
      : 'No organization of this name has single sign-on. Check the name, or sign in with your password.',
  })
}
