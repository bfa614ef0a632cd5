import { type ActionArgs, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { paths } from '../../paths.ts'
import type { AppContext } from '../../server/app-context.ts'
import { sameOriginPath } from '../../server/same-origin-path.ts'

/** Who is signed in already is not asked again. */
export function load({ context, url }: LoadArgs<AppContext>) {
  if (context.viewer) redirect(nextOf(url), 303)
  return {}
}

export async function action({ context, request, url, formData, appendHeader }: ActionArgs<AppContext>) {
  const form = await formData()
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
  if (!result.ok) return invalid({ message: result.message })
  for (const cookie of result.setCookies) appendHeader('set-cookie', cookie)
  return redirect(nextOf(url), 303)
}

const nextOf = (url: URL): string => sameOriginPath(url.searchParams.get('next'), paths.home())
const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '')
