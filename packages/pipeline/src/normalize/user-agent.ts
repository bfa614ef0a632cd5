/** Browser, system and device out of a `User-Agent` header, for events whose SDK did not send them. */
import type { JsonObject } from '@sonde/protocol/event'
import { BROWSERS, SYSTEMS, WINDOWS_NAMES, type AgentRule } from './user-agent-rules.ts'

export type Agent = { readonly browser?: JsonObject; readonly os?: JsonObject; readonly device?: JsonObject }

// Longer ones are attacks or adverts; also bounds the work.
const MAX_AGENT = 512
// The same few agents arrive all day.
const MAX_CACHED = 1000
const cache = new Map<string, Agent>()

export function parseUserAgent(text: string): Agent {
  const agent = text.slice(0, MAX_AGENT)
  const known = cache.get(agent)
  if (known) return known
  const parsed = parse(agent)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(agent, parsed)
  return parsed
}

function parse(agent: string): Agent {
  const browser = match(BROWSERS, agent)
  const os = match(SYSTEMS, agent)
  const device = deviceOf(agent)
  return {
    ...(browser && { browser: named('browser', browser.name, browser.version) }),
    ...(os && { os: named('os', os.name, os.name === 'Windows' ? windows(os.version) : os.version) }),
    ...(device && { device: { ...device, type: 'device' } }),
  }
}

function match(rules: readonly AgentRule[], agent: string): { name: string; version?: string } | undefined {
  for (const rule of rules) {
    if (!agent.includes(rule.needs)) continue
    const found = rule.version.exec(agent)
    if (found)
      return { name: rule.name, ...(found[1] ? { version: found[1].replaceAll('_', '.') } : undefined) }
  }
  return undefined
}

function named(type: string, name: string, version: string | undefined): JsonObject {
  return { name, ...(version === undefined ? undefined : { version }), type }
}

function windows(version: string | undefined): string | undefined {
  return version === undefined ? undefined : (WINDOWS_NAMES.get(version) ?? version)
}

function deviceOf(agent: string): JsonObject | undefined {
  for (const family of ['iPhone', 'iPad', 'iPod'])
    if (agent.includes(`(${family}`)) return { family, model: family, brand: 'Apple' }
  if (agent.includes('(Macintosh')) return { family: 'Mac', model: 'Mac', brand: 'Apple' }
  const android = /Android [\d.]{1,12}; ([^;)]{1,60})/.exec(agent)?.[1]
  if (android === undefined) return undefined
  const model = android.replace(/ Build.*$/, '').trim()
  // `K` is what Chrome says for every device since it stopped naming them.
  return model === 'K' || model === '' || /^(?:Mobile|Tablet|rv:)/.test(model)
    ? undefined
    : { family: model, model }
}
