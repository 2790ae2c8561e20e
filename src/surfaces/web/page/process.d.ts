// The page has no `process` and must not use it. `src/reply/lang.ts`, of which the page needs only a type, names it.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> }
