/** Every platform that has a snippet, in the order in which they are offered. */
import { BROWSER_PLATFORMS } from './browser-platforms.ts'
import type { Platform } from './platform.ts'
import { SERVER_PLATFORMS } from './server-platforms.ts'

export const PLATFORMS: readonly Platform[] = [...BROWSER_PLATFORMS, ...SERVER_PLATFORMS]

/** What SDKs and other tools call the same thing. */
const ALIASES: Readonly<Record<string, string>> = { dotnet: 'csharp', javascript_react: 'javascript-react' }

/** `python-django` has no snippet of its own: the part before the hyphen has. Otherwise the first. */
export function platformFor(id: string): Platform {
  const first = PLATFORMS[0] as Platform
  const name = ALIASES[id] ?? id
  const family = name.split('-')[0] ?? ''
  return (
    PLATFORMS.find((platform) => platform.id === name) ??
    PLATFORMS.find((platform) => platform.id === (ALIASES[family] ?? family)) ??
    first
  )
}
