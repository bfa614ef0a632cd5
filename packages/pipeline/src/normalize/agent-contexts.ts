import type { Contexts } from './contexts.ts'
import { parseUserAgent } from './user-agent.ts'

/**
 * Adds what the header says to contexts that the SDK left open. The header names the visitor's system; on a server
 * `os` is the server's own, so there it goes to `client_os`.
 */
export function addAgentContexts(contexts: Contexts, userAgent: string | undefined, platform: string): void {
  if (userAgent === undefined || userAgent === '') return
  const agent = parseUserAgent(userAgent)
  if (agent.browser && contexts.browser === undefined) contexts.browser = agent.browser
  const osKey = platform === 'javascript' ? 'os' : 'client_os'
  if (agent.os && contexts[osKey] === undefined) contexts[osKey] = agent.os
  if (agent.device && contexts.device === undefined) contexts.device = agent.device
}
