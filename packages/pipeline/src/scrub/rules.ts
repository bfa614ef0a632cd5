/** What a project's settings mean for names; made once per settings object, which is used for thousands of items. */
import { createKeyRules, type KeyRules } from './sensitive-keys.ts'
import type { ScrubSettings } from './settings.ts'

export type Rules = { readonly keys: KeyRules; readonly cookies: KeyRules }

const rulesBySettings = new WeakMap<ScrubSettings, Rules>()

export function rulesOf(settings: ScrubSettings): Rules {
  const known = rulesBySettings.get(settings)
  if (known) return known
  const safe = new Set(settings.safeFields.map((name) => name.toLowerCase()))
  const rules: Rules = {
    keys: createKeyRules(settings),
    cookies: (key) => (safe.has(key.toLowerCase()) ? 'no' : 'always'),
  }
  rulesBySettings.set(settings, rules)
  return rules
}

export const keyRulesOf = (settings: ScrubSettings): KeyRules => rulesOf(settings).keys
