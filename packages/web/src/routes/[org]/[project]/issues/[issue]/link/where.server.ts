import { httpError } from '@sonde/router/server'

/** `7/acme/shop`, as the field "Where" has it: the connection, and there a repository, project or team. */
export function whereOf(text: string): { readonly trackerId: number; readonly place: string } {
  const [, id = '', place = ''] = /^([1-9]\d{0,14})\/(.{1,200})$/.exec(text) ?? httpError(400)
  return { trackerId: Number(id), place }
}
