// What Claude Code has to find so that it asks nothing before its first prompt, and talks to nobody but a model server of ours.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY = 'sk-ant-dummy-000000000000000000000000000000'

/**
 * Write a home of Claude Code's.
 *
 * @param project a folder that is trusted in it.
 * @param settings of the user, such as hooks.
 * @returns the path of the settings.
 */
export function writeClaudeHome(home: string, project: string, settings: object): string {
  const file = join(home, '.claude', 'settings.json')
  mkdirSync(join(home, '.claude'))
  writeFileSync(file, JSON.stringify(settings))
  writeFileSync(join(home, '.claude.json'), JSON.stringify({
    hasCompletedOnboarding: true, theme: 'dark', numStartups: 5, customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  }))
  return file
}

/** @param url of the model server. */
export function claudeEnv(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY,
    DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}
