// From a row to its plugin with a configuration that is known to be right, before anything that runs is touched.
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from '@deepseek-ai/cordis'
import { ConfigError } from './config-error.ts'
import { isPlugin, OWN_ROWS } from './own-rows.ts'
import type { Row } from './rows.ts'

/** A row that can be loaded. */
export interface LoadedRow {
  readonly id: string
  readonly name: string
  readonly plugin: Plugin
  readonly config: unknown
}

/**
 * Load the plugins of some rows and check their configurations.
 *
 * @param file where the rows stand; other people's plugins are looked for beside it.
 * @throws ConfigError for the first row that is wrong.
 */
export async function loadRows(rows: readonly Row[], file: string): Promise<LoadedRow[]> {
  const loaded: LoadedRow[] = []
  for (const row of rows) loaded.push({ id: row.id, name: row.name, plugin: await loadPlugin(row, file), config: row.config })
  for (const [at, { plugin }] of loaded.entries()) checkConfig(rows[at]!, plugin, file)
  return loaded
}

async function loadPlugin(row: Row, file: string): Promise<Plugin> {
  const wrong = (what: string) => new ConfigError(file, what, { line: row.lineOf([]), row: row.id, field: 'name' })
  const own = OWN_ROWS.find(({ name }) => name === row.name)
  let found: unknown
  try {
    found = own ? await own.load() : await import(addressOf(row.name, file)) as unknown
  } catch (error) {
    throw wrong(`${row.name} cannot be loaded: ${error instanceof Error ? error.message.split('\n', 1)[0]! : String(error)}`)
  }
  // As dsh's loader does it.
  const plugin = (found as { default?: unknown }).default ?? found
  if (!isPlugin(plugin)) throw wrong(`${row.name} is no plugin: it has no apply`)
  return plugin
}

/** What to import: a path is meant from the file; a package may be installed beside the file, or beside this one. */
function addressOf(name: string, file: string): string {
  if (name.startsWith('file:')) return name
  if (/^\.{0,2}\//.test(name)) return pathToFileURL(resolve(dirname(file), name)).href
  try {
    return pathToFileURL(createRequire(file).resolve(name)).href
  } catch {
    return name
  }
}

/** As cordis does it when it loads the plugin, but with the line. */
function checkConfig(row: Row, { Config }: Plugin, file: string): void {
  const result = Config?.['~standard'].validate(row.config)
  if (!result || 'then' in result || !result.issues) return
  const [issue] = result.issues
  const path = (issue?.path ?? []).map(part => typeof part === 'object' ? part.key : part)
  throw new ConfigError(file, issue?.message ?? 'it is not valid', { line: row.lineOf(path), row: row.id, field: ['config', ...path].map(String).join('.') })
}
