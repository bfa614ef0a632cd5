export const load = () => {
  throw new Error('the database is away')
}
