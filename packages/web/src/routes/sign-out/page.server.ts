import { CLEAR_SITE_DATA } from '@sonde/access'
import { type ActionArgs, redirect, redirectWhole } from '@sonde/router/server'
import { paths } from '../../paths.ts'
import type { AppContext } from '../../server/app-context.server.ts'

/** A link that signs people out would let any page do it: only a post does. */
export function load() {
  return redirect(paths.home(), 303)
}

export async function action({ context, request, setHeader, appendHeader }: ActionArgs<AppContext>) {
  for (const cookie of await context.access.signOut(request.headers)) appendHeader('set-cookie', cookie)
  setHeader(...CLEAR_SITE_DATA)
  return redirectWhole(paths.signIn())
}
