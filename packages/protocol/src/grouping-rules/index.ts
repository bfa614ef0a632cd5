/** The texts of a project's rules of grouping, read: what stands in them, or what is wrong where. */
export { comparable, compileGlob, type GlobOptions, MAX_GLOB_TEXT, type RuleGlob } from './glob.ts'
export { globOptionsOf, type RuleProblem } from './scan-line.ts'
export { type FingerprintMatcher, type FingerprintRule, parseFingerprintRules } from './fingerprint-rules.ts'
export { parseStackRules, type StackAction, type StackMatcher, type StackRule } from './stack-rules.ts'
