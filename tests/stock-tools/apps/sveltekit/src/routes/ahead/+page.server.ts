export const load = () => ({})
