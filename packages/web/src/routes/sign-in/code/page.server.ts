/** The second step of a sign-in: the code of an authenticator app, a backup code, or a passkey. */
import { type ActionArgs, invalid, type LoadArgs, redirect, redirectWhole } from '@sonde/router/server'
import { nextOf, pathAfterSignIn } from '../../../parts/access/same-origin-path.server.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

/** Only after a password that was right, for ten minutes; otherwise back to the password, with the reason. */
export async function load({ context, request, url }: LoadArgs<AppContext>) {
  if (context.viewer) redirect(pathAfterSignIn(url), 303)
  const { secondFactor, passkeys } = context.access
  const { headers } = request
  const userId = await secondFactor.pendingUserId(headers)
  if (userId === undefined) redirect(paths.signIn(nextOf(url), 'code'), 303)
  const [hasCode, passkey] = await Promise.all([
    secondFactor.hasCode(headers),
    passkeys.pendingOptions(headers),
  ])
  return { next: nextOf(url), hasCode, passkey }
}

export async function action({ context, request, url, formData, appendHeader }: ActionArgs<AppContext>) {
  const form = await formData()
  const response = form.get('passkey')
  if (typeof response === 'string' && response !== '') {
    const { access, clientAddress } = context
    const result = await access.passkeys.secondStep({ response, headers: request.headers, clientAddress })
    if (!result.ok && result.reason === 'expired') return redirect(paths.signIn(nextOf(url), 'code'), 303)
    if (!result.ok) return invalid({ message: result.message })
    for (const cookie of result.setCookies) appendHeader('set-cookie', cookie)
    return redirectWhole(pathAfterSignIn(url))
  }
  const typed = form.get('code')
  const code = typeof typed === 'string' ? typed.trim() : ''
  if (code === '') return invalid({ message: 'Enter the code.' })
  const { access, clientAddress } = context
  const result = await access.secondFactor.verify({
    code,
    headers: request.headers,
    ...(clientAddress === undefined ? {} : { clientAddress }),
  })
  if (!result.ok && result.reason === 'expired') return redirect(paths.signIn(nextOf(url), 'code'), 303)
  if (!result.ok) return invalid({ message: result.message })
  for (const cookie of result.setCookies) appendHeader('set-cookie', cookie)
  return redirectWhole(pathAfterSignIn(url))
}
