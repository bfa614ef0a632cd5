export function load(): { never: string } {
  throw new Error('secret detail of the database')
}
