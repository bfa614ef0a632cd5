/**
 * npm's bill of materials names what examples and tools bring along too, and with `--omit dev` it leaves out what both need:
 * what is shipped is what licences are checked for.
 */
import { type Lock, shipped } from './licences.ts'

type Named = { readonly name: string; readonly version?: string; readonly 'bom-ref': string }
export type Bill = {
  readonly components: readonly Named[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

export function shippedBill<B extends Bill>(bill: B, lock: Lock): B {
  const ids = new Set(
    shipped(lock).map(
      (place) => `${place.slice(place.lastIndexOf('node_modules/') + 13)}@${lock.packages[place]?.version}`,
    ),
  )
  const isOurs = ({ name }: Named): boolean =>
    name.startsWith('@sonde/') && lock.packages[`packages/${name.slice(7)}`] !== undefined
  const left = bill.components.filter((one) => !ids.has(`${one.name}@${one.version}`) && !isOurs(one))
  const gone = new Set(left.map((one) => one['bom-ref']))
  return {
    ...bill,
    components: bill.components.filter((one) => !gone.has(one['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => !gone.has(ref))
      .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => !gone.has(ref)) })),
  }
}
