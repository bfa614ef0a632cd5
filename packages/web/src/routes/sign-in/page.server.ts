import { type ActionArgs, invalid, type LoadArgs, redirect, redirectWhole } from '@sonde/router/server'
import { nextOf, pathAfterSignIn } from '../../parts/access/same-origin-path.server.ts'
import { paths } from '../../paths.ts'
import type { AppContext } from '../../server/app-context.server.ts'

/** Who is signed in already is not asked again. */
export async function load({ context, url }: LoadArgs<AppContext>) {
  if (context.viewer) redirect(pathAfterSignIn(url), 303)
  // The form is shown also while the records are away.
  const doors = await context.access.sso.doors().catch(() => [])
  const [only] = doors
  const { passkeys } = context.access
  return {
    isCodeExpired: url.searchParams.get('expired') === 'code',
    next: nextOf(url),
    passkey: passkeys.whyNot === undefined ? passkeys.signInOptions() : undefined,
    hasProviders: doors.length > 0,
    /** With several, their names are nobody's business. */
    provider: doors.length === 1 && only ? { org: only.orgSlug, name: only.name } : undefined,
  }
}

/** 303 to where the person was going, or first to the second step; 422 with a message. */
export async function action({ context, request, url, formData, appendHeader }: ActionArgs<AppContext>) {
  const form = await formData()
  const response = textOf(form.get('passkey'))
  if (response !== '') {
    const { access, clientAddress } = context
    const result = await access.passkeys.signIn({ response, headers: request.headers, clientAddress })
    if (!result.ok) return invalid({ message: result.message })
    for (const cookie of result.setCookies) appendHeader('set-cookie', cookie)
    return redirectWhole(pathAfterSignIn(url))
  }
  const email = textOf(form.get('email'))
  const password = textOf(form.get('password'))
  if (email.trim() === '' || password === '') {
    return invalid({ message: 'Enter your e-mail address and your password.' })
  }
  const { access, clientAddress } = context
  const result = await access.signIn({
    email,
    password,
    headers: request.headers,
    ...(clientAddress === undefined ? {} : { clientAddress }),
  })
  if (!result.ok && result.reason !== 'second-factor') return invalid({ message: result.message })
  for (const cookie of result.setCookies) appendHeader('set-cookie', cookie)
  // With a document of its own: this one was made for a stranger.
  return result.ok ? redirectWhole(pathAfterSignIn(url)) : redirect(paths.signInCode(nextOf(url)), 303)
}

const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '')
