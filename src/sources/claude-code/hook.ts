// The program that Claude Code runs as its `PermissionRequest` hook. It is built into one file without dependencies.
import { runHook } from '../local/hook-program.ts'

void runHook('claude-code')
