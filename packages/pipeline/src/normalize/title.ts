/**
 * How an event is called. Errors: `Type: first line of the value`; messages: their first line. The culprit says where:
 * the transaction, else the frame that crashed. Computed from the event alone, so that it can be done again after
 * scrubbing.
 */
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'
import { spamOfText } from '../feedback/spam.ts'
import { contextText } from './contexts.ts'
import { crashFrame, mainException, mainFrames } from './exceptions.ts'
import { cutText } from './read-fields.ts'

const MAX_TITLE = 256
const MAX_CULPRIT = 200
const MAX_VALUE = 1024

type Source = Omit<NormalizedEvent, 'derived'>

export function titleOf(event: Source): string {
  if (event.type === 'feedback') return feedbackTitle(event)
  const exception = mainException(event)
  const message = firstLine(event.logentry?.formatted ?? event.logentry?.message)
  if (exception) {
    const value = firstLine(exception.value)
    // @sentry/browser wraps the stack of `captureMessage` so; the function there is a minified name.
    if (exception.type === undefined && value !== '' && value === message) return cutText(message, MAX_TITLE)
    const type = exception.mechanism?.synthetic ? undefined : exception.type
    const name = type ?? (value === '' || exception.type === undefined ? functionOf(event) : undefined)
    if (name === undefined) return cutText(value === '' ? (exception.type ?? '<unknown>') : value, MAX_TITLE)
    return cutText(value === '' ? name : `${name}: ${value}`, MAX_TITLE)
  }
  if (message !== '') return cutText(message, MAX_TITLE)
  const frames = mainFrames(event)
  return (frames && crashFrame(frames)?.function) ?? '<unlabeled event>'
}

/** `given` is the culprit that the SDK or the interface named. Empty when nothing says where. */
export function culpritOf(event: Source, given?: string): string {
  return cutText(event.transaction ?? given ?? frameCulprit(event) ?? event.request?.url ?? '', MAX_CULPRIT)
}

export function metadataOf(event: Source): Readonly<Record<string, string>> {
  const exception = mainException(event)
  if (event.type === 'feedback') return feedbackMetadata(event)
  if (!exception) return { title: titleOf(event) }
  // A frame without file says where no better than the one that called it.
  const frames = mainFrames(event)
  const frame = crashFrame(frames?.filter(({ filename }) => filename !== undefined)) ?? crashFrame(frames)
  return {
    ...(exception.type !== undefined && { type: exception.type }),
    ...(exception.value !== undefined && { value: cutText(exception.value, MAX_VALUE) }),
    ...(frame?.filename !== undefined && { filename: frame.filename }),
    ...(frame?.function !== undefined && { function: frame.function }),
  }
}

function frameCulprit(event: Source): string | undefined {
  if (mainException(event)?.mechanism?.synthetic) return ''
  const frame = crashFrame(mainFrames(event))
  if (!frame) return undefined
  const platform = frame.platform ?? event.platform
  const place = frame.module ?? frame.filename
  if (platform === 'javascript' || platform === 'node')
    return place === undefined && frame.function === undefined
      ? undefined
      : `${frame.function ?? '?'}(${place ?? '?'})`
  if (isNative(platform)) return frame.function
  if (place === undefined) return frame.function
  return frame.function === undefined ? place : `${place} in ${frame.function}`
}

function isNative(platform: string): boolean {
  return platform === 'native' || platform === 'cocoa' || platform === 'objc' || platform === 'c'
}

function functionOf(event: Source): string {
  const frame: Frame | undefined = crashFrame(mainFrames(event))
  return frame?.function ?? '<unknown>'
}

function feedbackTitle(event: Source): string {
  const words = firstLine(contextText(event.contexts?.feedback, 'message'))
  return cutText(words === '' ? 'User Feedback' : `User Feedback: ${words}`, MAX_TITLE)
}

function feedbackMetadata(event: Source): Readonly<Record<string, string>> {
  const feedback = event.contexts?.feedback
  const metadata: Record<string, string> = { title: 'User Feedback' }
  for (const key of FEEDBACK_FIELDS) {
    const text = contextText(feedback, key)
    if (text !== undefined) metadata[key] = cutText(text, MAX_VALUE)
  }
  const spam = spamOfText(metadata['message'])
  return { ...metadata, ...(spam !== undefined && { spam }) }
}

const FEEDBACK_FIELDS = [
  'message',
  'contact_email',
  'name',
  'source',
  'url',
  'associated_event_id',
  'replay_id',
] as const

function firstLine(text: string | undefined): string {
  if (text === undefined) return ''
  const trimmed = text.trim()
  const end = trimmed.search(/[\r\n]/)
  return end < 0 ? trimmed : trimmed.slice(0, end).trimEnd()
}
