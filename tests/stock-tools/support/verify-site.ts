/** `@sonde/cli` on a site that is served: as a pipeline runs it after a deployment, with the token that builds have. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Harness } from './harness.ts'
import { toolEnv } from './run-tool.ts'

const CLI = join(import.meta.dirname, '../../../packages/cli/src/main.ts')

type Check = {
  readonly file: string
  /** What Sonde has under its debug id. */
  readonly server?: string
  readonly problems: readonly { readonly problem: string; readonly detail: string }[]
}

/** Of every script that it found. */
export async function verifySite({ env }: Harness, url: string): Promise<readonly Check[]> {
  const args = ['--conditions=@sonde/source', CLI, 'sourcemaps', 'verify', url, '--json']
  // Not to be waited for by this process alone: it serves the site.
  const child = spawn(process.execPath, args, { env: toolEnv(env), stdio: ['ignore', 'pipe', 'pipe'] })
  const [answer, said] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (answer === '') throw new Error(`it found nothing: ${said}`)
  return (JSON.parse(answer) as { readonly bundles: readonly Check[] }).bundles
}
