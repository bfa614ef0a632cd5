/** `raw_description` of an os or runtime context → name and version, where the SDK sent nothing else (.NET, Unity). */
import type { JsonObject } from '@sonde/protocol/event'

const NAME_AND_VERSION = /^([A-Za-z.][A-Za-z. /+-]{0,60}?) v?(\d{1,8}(?:\.\d{1,8}){0,3})/

export function describeRaw(context: JsonObject): JsonObject {
  const raw = context.raw_description
  if (typeof raw !== 'string' || context.name !== undefined) return context
  if (context.type !== 'os' && context.type !== 'runtime') return context
  const match = NAME_AND_VERSION.exec(raw)
  if (!match) return context
  const [, given = '', version = ''] = match
  if (context.type === 'runtime') return { ...context, name: given, version }
  // Both kernels count differently from the systems around them.
  if (given === 'Linux' || given === 'Darwin') return { ...context, name: given, kernel_version: version }
  const name = given.startsWith('Microsoft Windows') ? 'Windows' : given
  return { ...context, name, version }
}
