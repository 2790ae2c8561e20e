// The server as a program of its own: `node program.ts <state folder>`.
import { runMcpServer } from '../../../src/sources/mcp/server.ts'

await runMcpServer({ version: '0.0.0', folder: process.argv[2] })
