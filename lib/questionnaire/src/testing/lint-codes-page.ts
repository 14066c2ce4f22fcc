import { checkShape } from '../check-shape.ts';
import { LINT_CODES, type LintCode } from '../lint/lint-codes.ts';
import { EXAMPLE_SURVEY, exampleWith } from './lint-example.ts';

/** `docs/lint-codes.md`, made of the table of codes. */
export const lintCodesPage = (): string => `# Lint codes

What can be wrong with the definition of a survey: the closed list. Each problem is \`{path, code, detail, question_id?}\`, with the JSON pointer of what it is about, and all of them come in one answer.

- What **refuses storing** is answered with 422, for a draft too.
- What **refuses publishing** is kept with a draft; neither publishing nor a new definition for an active survey passes while there is any.
- **Warnings** never block.

\`WRONG_TYPE\` and \`LIMIT_EXCEEDED\` refuse storing for what a draft cannot do without, and publishing for the rest.

Each example is what changes this sound survey into one with that problem and no other, as a JSON merge patch ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396)):

${fenced(JSON.stringify(EXAMPLE_SURVEY, null, 2))}

${codes.map(toSection).join('\n')}`;

// The table names its own codes.
const codes = Object.keys(LINT_CODES) as readonly LintCode[];

const toSection = (code: LintCode): string => {
  const entry = LINT_CODES[code];
  const alongside = 'alongside' in entry ? `, alongside \`${entry.alongside}\`` : '';
  const place = entry.path === '' ? 'the whole definition' : `\`${entry.path}\``;
  return `## ${code}

${severityOf(entry)}. ${entry.text}

${fenced(entry.example)}

Reported at ${place}${alongside}.
`;
};

const severityOf = ({ level, example }: (typeof LINT_CODES)[LintCode]): string => {
  if (level === 'warning') return 'Warning';
  return checkShape(exampleWith(example)).length > 0 ? 'Error, refuses storing' : 'Error, refuses publishing';
};

function fenced(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\``;
}
