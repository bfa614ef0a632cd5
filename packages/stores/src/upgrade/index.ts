/** What an upgrade would do. Loaded by `sonde upgrade --check` alone. */
export { planUpgrade, type StorePlan } from './plan-upgrade.ts'
export { sizeText } from './free-space.ts'
