/** `sonde upgrade --check`: what a start of this version would do to what the settings name. Changes nothing. */
import { SondeError } from '@sonde/base'
import { type CommandInput, print, UsageError } from '@sonde/cli'
import { planUpgrade, sizeText, type StorePlan } from '@sonde/stores/upgrade'
import { type Config, readConfig } from '../config/config.ts'
import { refuseMoved } from '../move/move-file.ts'
import { VERSION } from '../version.ts'

export async function run({ flag }: CommandInput): Promise<number> {
  if (!flag('check'))
    throw new UsageError('a start of the new version upgrades; `sonde upgrade --check` says what it would do')
  const config = readConfig()
  refuseMoved(config)
  const [stores, nats] = await Promise.all([planUpgrade(config.engines), natsVersion(config)])
  const refusals = stores.flatMap(refusalsOf)
  print(
    flag('json')
      ? JSON.stringify({ version: VERSION, isReady: refusals.length === 0, refusals, stores, nats })
      : [
          `Sonde ${VERSION} on ${config.dataDir}`,
          ...stores.flatMap(planText),
          ...(nats === undefined ? [] : ['', `log: NATS ${nats}`]),
          '',
          ...(refusals.length === 0 ? [nextText(stores)] : refusals.map((refusal) => `✗ ${refusal}`)),
        ].join('\n'),
  )
  return refusals.length === 0 ? 0 : 1
}

function refusalsOf({ store, later, space }: StorePlan): readonly string[] {
  return [
    ...(later.length === 0
      ? []
      : [
          `a later version of Sonde wrote the ${store} (${later.join(', ')}): start that one, or restore a copy of before`,
        ]),
    ...(space === undefined || space.freeBytes >= space.neededBytes
      ? []
      : [
          `the ${store} need ${sizeText(space.neededBytes)} of free disk and have ${sizeText(space.freeBytes)}: free ${sizeText(space.neededBytes - space.freeBytes)} more`,
        ]),
  ]
}

function planText({
  store,
  engine,
  schema,
  steps,
  space,
  seconds,
  background,
}: StorePlan): readonly string[] {
  const about = schema === '' ? 'none yet' : schema
  if (steps.length === 0) return ['', `${store}: ${engine}, schema ${about}; nothing to do`]
  return [
    '',
    `${store}: ${engine}, schema ${about}; ${steps.length} steps, about ${Math.max(1, Math.ceil(seconds))} s`,
    ...steps.map((step) => `  ${step}`),
    ...(space === undefined
      ? []
      : [`  needs ${sizeText(space.neededBytes)} of free disk, has ${sizeText(space.freeBytes)}`]),
    ...background.map((what) => `  afterwards, while Sonde runs: ${what}`),
  ]
}

function nextText(stores: readonly StorePlan[]): string {
  if (stores.every(({ steps }) => steps.length === 0)) return 'Nothing to upgrade.'
  const lastBackupMs = stores.find((plan) => plan.lastBackupMs !== undefined)?.lastBackupMs
  const backup =
    lastBackupMs === undefined
      ? 'No backup is known'
      : `The last backup is of ${new Date(lastBackupMs).toISOString().slice(0, 16)}Z`
  return `Ready. ${backup}: there is no way back but a copy of before (docs/operate/upgrade.md). Then start this version.`
}

/** A start makes the streams that are missing. Throws `SondeError` for a server that does not answer. */
async function natsVersion({ engines: { log } }: Config): Promise<string | undefined> {
  if ('dir' in log) return undefined
  const { readNatsVersion } = await import('@sonde/log/nats')
  try {
    return await readNatsVersion(log.url)
  } catch (cause) {
    if (cause instanceof SondeError) throw cause
    throw new SondeError('unavailable', `look at NATS: ${(cause as Error).message}`, {
      operation: 'look at NATS',
      cause,
    })
  }
}
