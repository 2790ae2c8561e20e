// The desk's file: a patch of the rows that are there without one, as a profile's cordis.patch.yml is, so that the same rows do in
// both. Positions are kept, so that what is wrong is found again.
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { ConfigError } from './config-error.ts'
import { OWN_ROWS } from './own-rows.ts'

/** One row. */
export interface Row {
  readonly id: string
  /** The plugin's name: a subpath of this package, another package, or a path relative to the file. */
  readonly name: string
  /** What the file has for `config`; `undefined` where it has nothing. */
  readonly config: unknown
  /**
   * Where a field of the config is in the file.
   *
   * @returns the line of the field, or of what is nearest around it; `undefined` for a row that is not in the file.
   */
  lineOf(path: readonly PropertyKey[]): number | undefined
}

const KEYS = ['id', 'name', 'config', 'disabled']

/**
 * Read the desk's file.
 *
 * @param file its path, for messages.
 * @returns the rows that are on, in the order in which they are loaded.
 * @throws ConfigError
 */
export function readRows(text: string, file: string): Row[] {
  const lines = new LineCounter(), document = parseDocument(text.replace(/^\uFEFF/, ''), { lineCounter: lines, prettyErrors: false })
  const lineAt = (node: { range?: readonly number[] | null | undefined }) => node.range ? lines.linePos(node.range[0]!).line : undefined
  const [problem] = [...document.errors, ...document.warnings]
  // What follows a colon may be a piece of the file, and that a secret.
  if (problem) throw new ConfigError(file, `no YAML that can be read: ${problem.message.replace(/: .*/s, '')}`, { line: lines.linePos(problem.pos[0]).line })
  const { contents } = document
  if (contents !== null && !isSeq(contents) && !(isScalar(contents) && contents.value === null)) throw new ConfigError(file, 'must be a list of rows, each with an id', { line: lineAt(contents as Node) })

  /** By id, in order; rows of our own first. */
  const rows = new Map<string, Row & { readonly isOn: boolean }>(OWN_ROWS.map(({ id, name, isOn }) => [id, { id, name, config: undefined, lineOf: () => undefined, isOn }]))
  const seen = new Set<string>()

  const take = (node: unknown, isInserted: boolean): void => {
    if (!isMap(node)) throw new ConfigError(file, 'must be a row, such as { id: ask-web, disabled: false }', { line: lineAt(node as Node) })
    const line = lineAt(node), inserted = node.get('insert')
    if (inserted !== undefined) {
      if (isInserted || node.items.length > 1 || !isSeq(inserted)) throw new ConfigError(file, 'insert must be alone, with a list of rows', { line })
      for (const row of inserted.items) take(row, true)
      return
    }
    const id = textOf(node, 'id')
    const wrong = (what: string, field?: string) => new ConfigError(file, what, { line: lineOf(node, field === undefined ? [] : [field]), row: id, field })
    if (id === undefined) throw wrong('a row needs an id')
    for (const { key } of node.items) {
      const name = isScalar(key) ? String(key.value) : 'that is no word'
      if (!KEYS.includes(name)) throw wrong(`unknown key ${name}; it may be ${KEYS.join(', ')}`)
    }
    const known = rows.get(id), name = textOf(node, 'name') ?? known?.name
    if (seen.has(id)) throw wrong('there is another row with this id')
    seen.add(id)
    if (name === undefined) throw wrong(`unknown id; without a name it may be ${OWN_ROWS.map(row => row.id).join(', ')}`)
    if (known && known.name !== name) throw wrong(`must be ${known.name}: choose another id for another plugin`, 'name')
    const disabled: unknown = node.get('disabled')
    if (disabled !== undefined && disabled !== null && typeof disabled !== 'boolean') throw wrong('must be true or false', 'disabled')
    const config = node.get('config', true)
    rows.set(id, {
      id, name, config: config === undefined ? undefined : plain(config, () => wrong('it cannot be read', 'config')),
      lineOf: path => lineOf(node, ['config', ...path]),
      // A row that is named without a word on it stays as it is; a new one is on.
      isOn: typeof disabled === 'boolean' ? !disabled : known?.isOn ?? true,
    })
  }

  /** The line of a field, or of the nearest one around it. */
  function lineOf(row: YAMLMap, path: readonly PropertyKey[]): number | undefined {
    for (let length = path.length; length > 0; length--) {
      const node: unknown = row.getIn(path.slice(0, length), true)
      if (node instanceof Object && 'range' in node) return lineAt(node as Node)
    }
    return lineAt(row)
  }

  function plain(node: unknown, wrong: () => ConfigError): unknown {
    try {
      return (node as Node).toJS(document) as unknown
    } catch {
      // An alias of nothing, or too many of them.
      throw wrong()
    }
  }

  if (isSeq(contents)) for (const row of contents.items) take(row, false)
  return [...rows.values()].filter(({ isOn }) => isOn)
}

function textOf(row: YAMLMap, key: string): string | undefined {
  const value: unknown = row.get(key)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
