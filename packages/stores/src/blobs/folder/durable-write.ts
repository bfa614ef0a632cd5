/** Files and folders that are still there after a power cut. */
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The file must not exist. Its name becomes durable with the next `syncFolder`. */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A rename or a new file is durable once its folder was flushed. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Makes `path` and its parents below `root`, each entry durable. */
export async function makeFolders(path: string, root: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let at = path; at.length >= first.length && at.length > root.length; at = dirname(at))
    await syncFolder(dirname(at))
}
