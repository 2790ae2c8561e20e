// The documents: every link leads somewhere, every page has its twin in Chinese, and the README stays short and right.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRelative, type Page, readPage } from '../scripts/markdown.ts'

const root = resolve(import.meta.dirname, '..')

const read = (path: string): Page => readPage(readFileSync(join(root, path), 'utf8'))

const markdownIn = (folder: string) => readdirSync(join(root, folder)).filter(file => file.endsWith('.md')).toSorted()

/** For whoever changes the code; the rules are referred to by number, and a translation could only differ. */
const ENGLISH_ONLY = new Set(['routing.md'])

const english = markdownIn('docs'), chinese = markdownIn('docs/zh')

const pages = ['README.md', 'README.zh.md', 'CHANGELOG.md', ...english.map(file => `docs/${file}`), ...chinese.map(file => `docs/zh/${file}`)]

/** What is wrong with a link; `undefined` for one that leads somewhere. */
function problemOf(page: string, link: string): string | undefined {
  const [path, anchor] = decodeURIComponent(link).split('#') as [string, string?]
  const target = path === '' ? join(root, page) : resolve(root, dirname(page), path)
  if (relative(root, target).startsWith('..') || !existsSync(target)) return `${link}: no such file`
  if (anchor === undefined) return undefined
  if (!target.endsWith('.md')) return `${link}: only a page has anchors`
  return readPage(readFileSync(target, 'utf8')).anchors.has(anchor) ? undefined : `${link}: no such heading`
}

describe('links', () => {
  it.each(pages)('of %s lead somewhere', (page) => {
    const problems = read(page).links.filter(isRelative).map(link => problemOf(page, link)).filter(problem => problem !== undefined)
    expect(problems).toEqual([])
  })

  it('reach every page and every picture', () => {
    const reached = new Set(pages.flatMap(page => read(page).links.filter(isRelative).map(link => relative(root, resolve(root, dirname(page), link.split('#')[0]!)))))
    const wanted = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(file => `docs/${file}`).filter(path => statSync(join(root, path)).isFile())
    expect(wanted.filter(path => !reached.has(path))).toEqual([])
  })
})

describe('the twins', () => {
  it('are there, for every page', () => {
    expect(chinese).toEqual(english.filter(file => !ENGLISH_ONLY.has(file)))
  })

  // What is for a person to read differs: samples of what is shown, and diagrams.
  const isProse = (lang: string) => ['', 'text', 'mermaid'].includes(lang)
  const withoutComments = (code: string) => code.split('\n').map(line => line.replace(/(^|\s)(#|\/\/).*$/, '').trimEnd()).filter(line => line !== '').join('\n')
  const codeOf = ({ code }: Page) => code.map(({ lang, text }) => isProse(lang) ? lang : `${lang}: ${withoutComments(text)}`)

  it.each([['README.md', 'README.zh.md'], ...chinese.map(file => [`docs/${file}`, `docs/zh/${file}`])])('%s and %s have the same headings and code', (one, other) => {
    const [first, second] = [read(one!), read(other!)]
    expect(second.levels).toEqual(first.levels)
    expect(codeOf(second)).toEqual(codeOf(first))
  })
})

describe('the README', () => {
  it.each([['README.md', 10_240], ['README.zh.md', 11_264]])('%s has at most %i bytes', (page, most) => {
    expect(statSync(join(root, page)).size).toBeLessThanOrEqual(most)
  })

  it('has a surface in ten lines that type-checks', { timeout: 60_000 }, () => {
    const [surface, ...others] = read('README.md').code.filter(({ lang }) => lang === 'ts')
    expect(others).toEqual([])
    expect(surface!.text.trim().split('\n').length).toBeLessThanOrEqual(10)
    const folder = mkdtempSync(join(tmpdir(), 'readme-'))
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
      writeFileSync(join(folder, 'surface.mts'), `
import type { Context } from '@deepseek-ai/cordis'
import type { AskUserQuestionAnswer, AskUserQuestionItem, AskUserQuestionRequest } from 'dsh-ask-router'
declare const mySession: string
declare function show(questions: AskUserQuestionItem[], signal: AbortSignal): Promise<AskUserQuestionAnswer>
declare function putAway(request: AskUserQuestionRequest, why: string): void
${surface!.text}`)
      const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as { compilerOptions: object }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
        compilerOptions: {
          ...compilerOptions,
          paths: { 'dsh-ask-router': [join(root, 'src/index.ts')] },
        },
        files: ['surface.mts'],
      }))
      // Its output is in the error when it fails.
      execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8', stdio: 'pipe' })
    } catch (error) {
      const { stdout } = error as { stdout?: string }
      throw stdout ? new Error(stdout) : error
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
