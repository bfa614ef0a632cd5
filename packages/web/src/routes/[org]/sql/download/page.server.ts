import type { ActionArgs } from '@sonde/router/server'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { runNoted } from '../load-sql.server.ts'
import { resultAsCsv, resultAsJson } from '../sql-file.ts'

/** All rows of a statement's result, run again for it. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  const form = await args.formData()
  const q = form.get('q')
  const isJson = form.get('format') === 'json'
  const { answer, refusal } = await runNoted(args, typeof q === 'string' ? q : '')
  if (!answer)
    return new Response(`${refusal.message}\n${refusal.hint ?? ''}\n`, {
      status: 400,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' },
    })
  return new Response(isJson ? resultAsJson(answer) : resultAsCsv(answer), {
    headers: {
      'content-type': isJson ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="sonde-${args.params.org}.${isJson ? 'json' : 'csv'}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  })
}
