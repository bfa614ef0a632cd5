/** Options from the attributes of the script tag: `<script src="…/sonde.js" data-dsn="…" data-release="…">`. */
import type { Options } from '../types.ts'

/** `dataset` of the script: `data-traces-sample-rate` is `tracesSampleRate`. A number that is none counts as absent. */
export function readAttributes(dataset: Readonly<Record<string, string | undefined>>): Options {
  const options: Record<string, unknown> = { dsn: dataset['dsn'] }
  for (const name of ['release', 'environment', 'dist', 'org']) {
    if (dataset[name]) options[name] = dataset[name]
  }
  // Without a value it means the usual path.
  if (dataset['tunnel'] !== undefined) options['tunnel'] = dataset['tunnel'] || '/monitoring'
  // A tag asks for everything that it brings: every page load and navigation, unless it says less.
  options['tracesSampleRate'] = 1
  for (const name of ['sampleRate', 'tracesSampleRate']) {
    const text = dataset[name]?.trim()
    if (text && Number(text) >= 0 && Number(text) <= 1) options[name] = Number(text)
  }
  for (const name of ['propagateTraceparent', 'sendIp', 'preferDirect']) {
    if (name in dataset) options[name] = dataset[name] !== 'false'
  }
  for (const name of ['tracePropagationTargets', 'ignoreErrors']) {
    const parts = (dataset[name] ?? '').split(',').map((part) => part.trim())
    if (parts.some(Boolean)) options[name] = parts.filter(Boolean)
  }
  return options as Options
}
