// The hooks of Claude Code and Codex: each one file that needs nothing but Node.js, since it is copied out of the package and is to
// start at once.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The sources that have one. */
export const HOOKS = ['claude-code', 'codex']

/** Build the hooks into `dist`. */
export async function buildHooks(): Promise<void> {
  await build({
    entryPoints: HOOKS.map(name => fileURLToPath(new URL(`../src/sources/${name}/hook.ts`, import.meta.url))),
    outbase: fileURLToPath(new URL('../src', import.meta.url)),
    outdir: fileURLToPath(new URL('../dist', import.meta.url)),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    logLevel: 'warning',
  })
}
