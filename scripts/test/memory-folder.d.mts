export function makeMemoryFolder(of?: {
  mount?: string
  mounts?: string
  meminfo?: string
  neededBytes?: number
}): string | undefined
