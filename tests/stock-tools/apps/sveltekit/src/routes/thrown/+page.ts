export const ssr = false

export const load = () => {
  throw new TypeError('no data')
}
