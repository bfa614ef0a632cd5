/** How an exception was caught. https://develop.sentry.dev/sdk/data-model/event-payloads/exception/#exception-mechanism */
import type { Exception } from '@sonde/protocol/event'
import { BAG, objectBag } from './bag.ts'
import { booleanField, countField, isObject, textField, type Mutable } from './read.ts'
import type { Scope } from './scope.ts'

type Mechanism = NonNullable<Exception['mechanism']>

export function readMechanism(scope: Scope, raw: unknown): Mechanism | undefined {
  if (!isObject(raw)) return undefined
  const mechanism: Mutable<Mechanism> = { type: textField(scope, raw, 'type', 128) ?? 'generic' }
  const handled = booleanField(scope, raw, 'handled')
  if (handled !== undefined) mechanism.handled = handled
  const synthetic = booleanField(scope, raw, 'synthetic')
  if (synthetic !== undefined) mechanism.synthetic = synthetic
  const source = textField(scope, raw, 'source', 128)
  if (source !== undefined) mechanism.source = source
  const exceptionId = countField(scope, raw, 'exception_id')
  if (exceptionId !== undefined) mechanism.exception_id = exceptionId
  const parentId = countField(scope, raw, 'parent_id')
  if (parentId !== undefined) mechanism.parent_id = parentId
  const isGroup = booleanField(scope, raw, 'is_exception_group')
  if (isGroup !== undefined) mechanism.is_exception_group = isGroup
  const description = textField(scope, raw, 'description', 8192, 200)
  if (description !== undefined) mechanism.description = description
  const helpLink = textField(scope, raw, 'help_link', 1024, 100)
  if (helpLink !== undefined) mechanism.help_link = helpLink
  const data = objectBag(scope, 'data', raw.data, BAG.medium)
  if (data !== undefined) mechanism.data = data
  const meta = objectBag(scope, 'meta', raw.meta, BAG.medium)
  if (meta !== undefined) mechanism.meta = meta
  return mechanism
}
