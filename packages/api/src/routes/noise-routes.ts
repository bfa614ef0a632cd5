/** What a project was sent and did not cause, and what becomes of each class of it. Sentry has no such address: docs/noise.md. */
import type { Grant } from '@sonde/access'
import { changeProjectNoise } from '@sonde/commands'
import {
  NOISE_ACTIONS,
  NOISE_CLASSES,
  NOISE_NAMES,
  NOISE_RULES,
  type NoiseAction,
  type NoiseClass,
  type NoiseRule,
} from '@sonde/protocol/noise'
import { OUTCOMES } from '@sonde/protocol/outcome'
import { noiseLedger, type NoiseLedger, projectSettings, type ProjectSettingsView } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { WINDOW, windowOf } from '../query-schemas.ts'
import { Time } from '../serializers/date.ts'
import { taken } from '../taken.ts'

const PATH = '/projects/:org/:project/noise'

const numbers = {
  kept: z.number().meta({ description: 'Stored in full.' }),
  thinned: z.number().meta({ description: 'Counted with those that are stored.' }),
  dropped: z.number(),
}

const NoiseLedgerShape = z
  .object({
    start: Time,
    end: Time,
    totals: z.object({
      ...numbers,
      refused: z.number().meta({ description: 'Refused at the door, unreadable, or failed.' }),
      discarded: z.number().meta({ description: 'What SDKs say that they never sent.' }),
    }),
    classes: z.array(
      z.object({
        class: z.enum(NOISE_CLASSES),
        name: z.string(),
        action: z.enum(NOISE_ACTIONS),
        ...numbers,
        issues: z.int(),
        users: z.int(),
        rules: z.array(z.object({ rule: z.string(), description: z.string(), events: z.number() })),
        examples: z.array(
          z.object({
            eventId: z.string(),
            groupID: z.string(),
            title: z.string(),
            rule: z.string(),
            match: z.string().meta({ description: 'What the rule found in it.' }),
            dateCreated: Time,
          }),
        ),
      }),
    ),
    reasons: z
      .array(
        z.object({
          outcome: z.enum(OUTCOMES).exclude(['accepted']),
          reason: z.string(),
          category: z.string().meta({ description: '`error`, `transaction`, …' }),
          quantity: z.number(),
        }),
      )
      .meta({ description: 'Why events were not stored, the most frequent first.' }),
  })
  .meta({ id: 'NoiseLedger' })

const NoiseRules = z
  .object({
    actions: z.record(z.enum(NOISE_CLASSES), z.enum(NOISE_ACTIONS)).meta({ description: 'By class.' }),
    fullPerDay: z.number().meta({ description: 'How many of a thinned issue are stored in full on a day.' }),
  })
  .meta({ id: 'NoiseRules' })

export function noiseRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.get(
    PATH,
    {
      id: 'getNoise',
      summary: 'Read what a project was sent and did not cause',
      description: 'By when events were received.',
      tag: 'Projects',
      permission: 'event:read',
      query: z.object(WINDOW),
      answer: NoiseLedgerShape,
    },
    async ({ grant, query }) => {
      const { fromMs, toMs } = windowOf(query, queries.clock)
      const [ledger, settings] = await Promise.all([
        noiseLedger(queries, grant, { fromMs, toMs }),
        projectSettings(queries, grant),
      ])
      if (!settings) return undefined
      const { actions } = rulesJson(settings)
      return {
        start: new Date(fromMs).toISOString(),
        end: new Date(toMs).toISOString(),
        totals: ledger.totals,
        classes: ledger.classes.map((each) => classJson(each, actions[each.name])),
        reasons: ledger.reasons,
      }
    },
  )

  const shown = async (grant: Grant<'project:read', 'project'>) => {
    const settings = await projectSettings(queries, grant)
    return settings && rulesJson(settings)
  }

  api.get(
    `${PATH}/rules`,
    {
      id: 'getNoiseRules',
      summary: 'Read what becomes of noise',
      tag: 'Projects',
      permission: 'project:read',
      answer: NoiseRules,
    },
    ({ grant }) => shown(grant),
  )

  api.put(
    `${PATH}/rules`,
    {
      id: 'updateNoiseRules',
      summary: 'Change what becomes of noise',
      description: 'What is left out stays as it is.',
      tag: 'Projects',
      permission: 'project:write',
      // What it does not know, the command refuses: a word that is written wrongly would change nothing.
      body: z
        .looseObject({
          actions: taken(z.partialRecord(z.enum(NOISE_CLASSES), z.enum(NOISE_ACTIONS)), 'By class.'),
          fullPerDay: taken('integer', 'How many of a thinned issue are stored in full on a day.'),
        })
        .meta({ description: 'Other fields are refused.' }),
      answer: NoiseRules,
    },
    async ({ grant, body }) => {
      await changeProjectNoise(commands, grant, body)
      return shown(grant)
    },
  )
}

/** Every class is named, also what is kept anyway. */
function rulesJson({ noise }: Pick<ProjectSettingsView, 'noise'>) {
  const actions = Object.fromEntries(NOISE_CLASSES.map((name) => [name, noise.actions[name] ?? 'keep']))
  return { actions: actions as Record<NoiseClass, NoiseAction>, fullPerDay: noise.fullPerDay }
}

function classJson(figures: NoiseLedger['classes'][number], action: NoiseAction) {
  const { name, kept, thinned, dropped, issues, users, rules, examples } = figures
  return {
    class: name,
    name: NOISE_NAMES[name],
    action,
    kept,
    thinned,
    dropped,
    issues,
    users,
    rules: rules.map(({ rule, events }) => ({ rule, description: saysOf(rule), events })),
    examples: examples.map(({ issueId, timestampMs, ...example }) => ({
      ...example,
      groupID: String(issueId),
      dateCreated: new Date(timestampMs).toISOString(),
    })),
  }
}

const saysOf = (rule: NoiseRule): string => NOISE_RULES[rule].says
