/** The screens: from the build in production, from their sources with hot reload in development. */
import { pathToFileURL } from 'node:url'
import { currentScope, type Logger, UnavailableError } from '@sonde/base'
import {
  type PageServer,
  type PageServerOptions,
  serveBuilt,
  serveDev,
  type ServerBuild,
} from '@sonde/router/server'
import { type AppContext, type AppContextDeps, createAppContext, createDocument } from '@sonde/web/server'
import type { Config } from '../config/config.ts'
import type { ProgramFiles } from '../program-files.ts'

export async function serveScreens(
  files: ProgramFiles,
  config: Config,
  logger: Logger,
  deps: AppContextDeps,
): Promise<PageServer> {
  const options: PageServerOptions<AppContext> = {
    createContext: createAppContext(deps),
    document: createDocument(deps.selfReport.forPages),
    // The stack stays here, beside the digest that the person sees (fact E2).
    onError: ({ error, digest, request }) =>
      logger.error(
        { err: error, digest, method: request.method, path: new URL(request.url).pathname },
        'a page failed',
      ),
    requestId: () => currentScope()?.requestId,
    // The words of the error name addresses, which are for the log and for operators.
    explain: (error) =>
      error instanceof UnavailableError && error.missing !== undefined
        ? {
            status: 503,
            message: `Not available for now: ${error.missing} does not answer. New data is kept meanwhile; try again in a moment.`,
          }
        : undefined,
    // Without a proxy in between, the origin is whatever name of this machine the browser used.
    ...(config.isBehindProxy ? { publicOrigin: config.publicUrl } : {}),
  }
  if (files.web) {
    // An entry of the same bundle as this file: the pages share its modules.
    const { build } = (await import(pathToFileURL(files.web.server).href)) as { build: ServerBuild }
    return serveBuilt(files.web.client, build, options)
  }
  return serveDev({ root: files.webSources, configFile: `${files.webSources}/vite.config.ts` }, options)
}
