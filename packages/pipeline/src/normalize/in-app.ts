import type { Frame } from '@sonde/protocol/event'
import { inAppRulesOf, isAddressPlatform, type InAppRule } from './in-app-rules.ts'

type Site = Pick<Frame, 'abs_path' | 'filename' | 'module' | 'function' | 'package'>

/** Whether a frame is the user's own code, by the rules of its platform; only for frames whose SDK did not say. */
export function isInApp(frame: Site, platform: string): boolean {
  const absPath = slashes(frame.abs_path)
  const filename = slashes(frame.filename)
  const pack = slashes(frame.package)
  const matches = (rule: InAppRule) => {
    if (rule.field === 'path') return test(rule, absPath) || test(rule, filename)
    return test(rule, rule.field === 'package' ? pack : frame[rule.field])
  }
  if (inAppRulesOf(platform).some(matches)) return false
  if (!isAddressPlatform(platform)) return true
  return pack !== undefined || filename !== undefined || absPath !== undefined
}

function slashes(path: string | undefined): string | undefined {
  return path?.includes('\\') ? path.replaceAll('\\', '/') : path
}

function test(rule: InAppRule, value: string | undefined): boolean {
  if (value === undefined) return false
  for (const wanted of rule.values) {
    if (rule.test === 'prefix' && value.startsWith(wanted)) return true
    if (rule.test === 'contains' && value.includes(wanted)) return true
    if (rule.test === 'suffix' && value.endsWith(wanted)) return true
    if (rule.test === 'equals' && value === wanted) return true
  }
  return false
}
