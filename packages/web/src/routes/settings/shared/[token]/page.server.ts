/** A public link to an issue: for whoever has it, without a sign-in. */
import { openShare } from '@sonde/commands'
import { sharedIssue } from '@sonde/queries'
import { httpError, type LoadArgs, notFound } from '@sonde/router/server'
import type { AppContext } from '../../../../server/app-context.server.ts'

/** One that expired, was revoked or never was: the same not-found page. */
export async function load(args: LoadArgs<AppContext, 'token'>) {
  const { commands, queries, clientAddress } = args.context
  args.setHeader('cache-control', 'no-store')
  args.setHeader('referrer-policy', 'no-referrer')
  args.setHeader('x-robots-tag', 'noindex, nofollow')
  const opened = await openShare(commands, args.params.token, clientAddress)
  if (!opened) return notFound()
  if ('waitSec' in opened) {
    args.setHeader('retry-after', String(opened.waitSec))
    return httpError(429)
  }
  const issue = (await sharedIssue(queries, opened.issueId)) ?? notFound()
  return { issue, expiresMs: opened.expiresMs }
}
