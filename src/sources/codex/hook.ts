// The program that Codex runs as its `PreToolUse` and `PermissionRequest` hook. It is built into one file without dependencies.
import { runHook } from '../local/hook-program.ts'

void runHook('codex')
