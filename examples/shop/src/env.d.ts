/** Written into the build by vite.config.ts. */
declare const SHOP_RELEASE: string
