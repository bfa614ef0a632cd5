import { isSqlConsoleOn } from '@sonde/queries'
import { type LoadArgs, httpError } from '@sonde/router/server'
import { runNoted } from '../../../../explore/load-sql.server.ts'
import { csvText, jsonText } from '../../../../explore/sql-file.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { orgScope } from '../../../../server/page-scope.ts'

/** All rows of a statement's result, run again for it. */
export async function load(args: LoadArgs<AppContext, 'org'>) {
  const scope = await orgScope(args, 'event:read')
  if (!(await isSqlConsoleOn(args.context.queries, scope))) return httpError(403)
  const { searchParams } = args.url
  const isJson = searchParams.get('format') === 'json'
  const { answer, refusal } = await runNoted(args, scope, searchParams.get('q') ?? '')
  if (!answer)
    return new Response(`${refusal.message}\n${refusal.hint ?? ''}\n`, {
      status: 400,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' },
    })
  return new Response(isJson ? jsonText(answer) : csvText(answer), {
    headers: {
      'content-type': isJson ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="sonde-${scope.orgSlug}.${isJson ? 'json' : 'csv'}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  })
}
