import { type ActionArgs, httpError, redirect } from '@sonde/router/server'
import { sameOriginPath } from '../../../parts/access/same-origin-path.server.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { isTheme, themeCookie } from '../../../shell/theme.ts'

export function load() {
  return redirect(paths.home(), 303)
}

/** Without JavaScript; with it the browser writes the cookie itself. */
export async function action({ request, formData, appendHeader }: ActionArgs<AppContext>) {
  const theme = (await formData()).get('theme')
  if (!isTheme(theme)) return httpError(400)
  appendHeader('set-cookie', themeCookie(theme))
  return redirect(pathOf(request.headers.get('referer')), 303)
}

/** The page that it was chosen on; of the referrer only the path counts. */
function pathOf(referer: string | null): string {
  if (referer === null || !URL.canParse(referer)) return paths.home()
  const { pathname, search } = new URL(referer)
  return sameOriginPath(pathname + search, paths.home())
}
