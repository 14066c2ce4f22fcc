import { checkShape } from '../check-shape.ts';
import { isObject, type JsonObject } from '../json.ts';
import { LINT_CODES, type LintCode } from '../lint/lint-codes.ts';

/** A valid survey, which the examples of lint codes change. */
export const EXAMPLE_SURVEY = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Lunch',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'ate', type: 'single_choice', title: 'Did you eat?', options: ['yes', 'no'], required: true },
          { id: 'dish', type: 'text', title: 'What did you eat?' },
        ],
      },
      { questions: [{ id: 'taste', type: 'rating', title: 'How was it?', required: true }] },
    ],
  },
};

/** All codes with examples, in Markdown. Its links are relative to this file. */
export function lintCodesPage(): string {
  return `# Lint codes

All errors and warnings that a [survey definition](../../../../docs/definitions.md) can have.

\`\`\`json
{ "path": "/survey/title", "code": "EMPTY_TITLE", "detail": "the title is empty" }
\`\`\`

\`path\` is a JSON pointer into the payload. Problems of a question also have a \`question_id\`.

- **Rejects storing**: you get 422, even for a draft.
- **Blocks publishing**: a draft can be stored. Publishing it is rejected with 422. So is a new definition of a published survey, unless the request has \`?draft=true\`.
- **Warnings** never block.

\`WRONG_TYPE\` and \`LIMIT_EXCEEDED\` reject storing for members that a draft needs, and block publishing for others.

Each example below is a JSON merge patch ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396)). Applied to this valid survey, it causes the problem and no other:

${fenced(JSON.stringify(EXAMPLE_SURVEY, null, 2))}

${codes.map(toSection).join('\n')}`;
}

// All keys of the table are codes.
const codes = Object.keys(LINT_CODES) as readonly LintCode[];

function toSection(code: LintCode): string {
  const entry = LINT_CODES[code];
  const alongside = 'alongside' in entry ? ` Reported together with \`${entry.alongside}\`.` : '';
  return `## ${code}

${severityOf(entry)}. ${entry.text}${alongside}

${fenced(entry.example)}
`;
}

function severityOf({ level, path, example }: (typeof LINT_CODES)[LintCode]): string {
  const location = path === '' ? 'the whole definition' : `\`${path}\``;
  if (level === 'warning') return `Warning at ${location}`;
  const effect = checkShape(exampleWith(example)).length > 0 ? 'rejects storing' : 'blocks publishing';
  return `Error at ${location}, ${effect}`;
}

/** The example survey with a JSON merge patch, given as JSON text. */
export function exampleWith(patch: string): JsonObject {
  const changed = mergePatch(EXAMPLE_SURVEY, JSON.parse(patch));
  return isObject(changed) ? changed : {};
}

/** Applies a JSON merge patch (RFC 7396). This package cannot import the function of `lib/runtime`. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

function fenced(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\``;
}
