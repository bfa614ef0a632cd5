import { STORAGE_KIND_NAMES, type StorageKind, storageKindInfo } from '@sonde/stores'

export type KindNames = Readonly<Record<StorageKind, { readonly name: string; readonly holds: string }>>

export const kindNames = (): KindNames =>
  Object.fromEntries(
    STORAGE_KIND_NAMES.map((kind) => {
      const { name, holds } = storageKindInfo(kind)
      return [kind, { name, holds }]
    }),
  ) as KindNames
