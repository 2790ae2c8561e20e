// The tools as an MCP client sees them. `ask_user_question` has the words and the schema of dsh's own tool, so that a model asks in
// the same way wherever it runs.

/** The tool by which an agent asks its person. */
export const ASK = 'ask_user_question'

/** The tool that `claude -p --permission-prompt-tool mcp__<server>__approve` calls. */
export const APPROVE = 'approve'

const text = (description: string) => ({ type: 'string', description })

/** Neither changes anything, so that a client need not ask its person whether the person may be asked. */
const annotations = { readOnlyHint: true, openWorldHint: false }

export const TOOLS = [
  {
    name: ASK,
    description: 'Ask the user a concise question when you need confirmation, a choice, or missing information before proceeding. '
      + 'Send one or more questions, each with a stable id that will be echoed in the answer.',
    annotations,
    inputSchema: {
      type: 'object' as const,
      required: ['questions'],
      properties: {
        questions: {
          type: 'array',
          minItems: 1,
          description: 'Questions to ask the user before continuing.',
          items: {
            type: 'object',
            required: ['id', 'question'],
            properties: {
              id: text('Stable id for this question; echoed in the answer.'),
              question: text('The specific question to ask the user.'),
              header: text('Optional short heading for the question, such as "Confirm" or "Choose Mode".'),
              options: {
                type: 'array',
                description: 'Optional choices to show the user. If you recommend one, put it first and append "(Recommended)" to that label.',
                items: {
                  type: 'object',
                  required: ['label'],
                  properties: { label: text('Short user-facing option label.'), description: text('One sentence explaining the tradeoff or impact.') },
                },
              },
              multi_select: { type: 'boolean', description: 'Whether the user may select more than one option. Defaults to false.' },
            },
          },
        },
      },
    },
  },
  {
    name: APPROVE,
    description: 'For Claude Code\'s --permission-prompt-tool only: asks the user whether a tool may run. It permits nothing by itself; do not call it.',
    annotations,
    inputSchema: {
      type: 'object' as const,
      required: ['tool_name', 'input'],
      properties: { tool_name: text('The tool that needs permission.'), input: { type: 'object' }, tool_use_id: { type: 'string' } },
    },
  },
]
