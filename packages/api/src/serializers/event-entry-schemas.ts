/** What `entries` of an event are. Fields that the SDK did not tell are null. */
import { LEVELS } from '@sonde/protocol/event'
import { z } from 'zod'
import type { DeepReadonly } from '../operation.ts'
import { Time } from './date.ts'

const Text = z.string().nullable()
/** Open: names and values are those of the program and its SDK. */
const OfSdk = z.record(z.string(), z.unknown()).meta({ description: 'As the SDK sent it.' })
const Sent = OfSdk.nullable()
const Pairs = z.array(z.tuple([z.string(), z.string()])).meta({ description: 'Names and values.' })

const Frame = z
  .object({
    filename: Text,
    absPath: Text,
    module: Text,
    package: Text,
    platform: Text.meta({ description: 'Where it is another than that of the event.' }),
    instructionAddr: Text,
    symbolAddr: Text,
    function: Text,
    rawFunction: Text.meta({ description: 'As it came, before it was made readable.' }),
    symbol: z.null(),
    context: z
      .array(z.tuple([z.int(), z.string()]))
      .meta({ description: 'Numbered lines of source around the call; empty: not known.' }),
    lineNo: z.number().nullable(),
    colNo: z.number().nullable(),
    inApp: z.boolean().meta({ description: 'False: a library.' }),
    trust: z.unknown().meta({ description: 'How a native frame was found, as the SDK says it; else null.' }),
    errors: z.null(),
    lock: z.null(),
    sourceLink: z.null(),
    vars: Sent,
    data: Sent,
  })
  .meta({ id: 'EventFrame' })

const Stacktrace = z
  .object({
    frames: z.array(Frame).meta({ description: 'The oldest call first.' }),
    framesOmitted: z
      .tuple([z.number(), z.number()])
      .nullable()
      .meta({ description: 'First and last of those that the SDK left out.' }),
    registers: z.record(z.string(), z.string()).nullable(),
    hasSystemFrames: z.boolean().meta({ description: 'It has frames of the program and others.' }),
  })
  .meta({ id: 'EventStacktrace' })
const traces = {
  stacktrace: Stacktrace.nullable(),
  rawStacktrace: Stacktrace.nullable().meta({ description: 'As it came, where it was made readable.' }),
}

const Mechanism = z
  .object({
    type: z.string(),
    handled: z.boolean(),
    synthetic: z.boolean(),
    source: z.string(),
    exception_id: z.number(),
    parent_id: z.number(),
    is_exception_group: z.boolean(),
    description: z.string(),
    help_link: z.string(),
    data: OfSdk,
    meta: OfSdk,
  })
  .partial()
  .required({ type: true })
  .meta({ id: 'EventMechanism', description: 'How it was caught.' })

const ExceptionData = z.object({
  values: z
    .array(
      z.object({
        type: Text,
        value: Text,
        module: Text,
        threadId: Text,
        mechanism: Mechanism.nullable(),
        ...traces,
      }),
    )
    .meta({ description: 'The innermost cause first, the thrown one last.' }),
  hasSystemFrames: z.boolean(),
  excOmitted: z.null(),
})

const ThreadsData = z.object({
  values: z.array(
    z.object({
      id: Text,
      name: Text,
      crashed: z.boolean(),
      current: z.boolean(),
      main: z.boolean().nullable(),
      state: Text,
      ...traces,
    }),
  ),
})

const BreadcrumbsData = z.object({
  values: z.array(
    z.object({
      type: z.string(),
      category: Text,
      level: z.enum(LEVELS),
      message: Text,
      data: Sent,
      timestamp: Time.nullable(),
      event_id: z.null(),
    }),
  ),
})

const RequestData = z.object({
  url: Text,
  method: Text,
  query: Pairs,
  fragment: Text,
  headers: Pairs,
  cookies: Pairs,
  data: z.unknown().meta({ description: 'The body, as the SDK sent it: text, JSON or null.' }),
  env: Sent,
  inferredContentType: Text,
  apiTarget: Text,
})

const MessageData = z.object({
  formatted: Text,
  message: Text,
  params: z.unknown().meta({ description: 'What stands in the message, as the SDK sent it.' }),
})

/** Interfaces that are kept as they came; other unknown fields are in the raw JSON only. */
export const OPEN_ENTRIES = [
  'debugmeta',
  'csp',
  'hpkp',
  'expectct',
  'expectstaple',
  'nel',
  'template',
] as const

export const EventEntry = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('exception'), data: ExceptionData }),
    z.object({ type: z.literal('threads'), data: ThreadsData }),
    z.object({ type: z.literal('breadcrumbs'), data: BreadcrumbsData }),
    z.object({ type: z.literal('request'), data: RequestData }),
    z.object({ type: z.literal('message'), data: MessageData }),
    z.object({ type: z.enum(OPEN_ENTRIES), data: z.unknown().meta({ description: 'As it was sent.' }) }),
  ])
  .meta({ id: 'EventEntry' })
export type EventEntryJson = DeepReadonly<z.infer<typeof EventEntry>>
type Data<Type extends EventEntryJson['type']> = Extract<EventEntryJson, { type: Type }>['data']
export type ExceptionJson = Data<'exception'>
export type ThreadJson = Data<'threads'>['values'][number]
export type BreadcrumbJson = Data<'breadcrumbs'>['values'][number]
export type RequestJson = Data<'request'>
export type MessageJson = Data<'message'>
export type StacktraceJson = DeepReadonly<z.infer<typeof Stacktrace>>
