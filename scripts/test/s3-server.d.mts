export function ensureS3Server(): { readonly python: string; readonly folder: string }
