import { writeFile } from 'node:fs/promises';
import { toAnswerTypes } from '../answer-types.ts';
import type { Command } from '../command.ts';

export const types: Command = {
  usage: 'SURVEY_ID [--output FILE]',
  summary: 'prints TypeScript types of the answers, and of conditions on responses',
  options: { output: { type: 'string' } },
  arity: [1, 1],
  run: async ({ args: [id = ''], client, option, stdout, signal }) => {
    const { definition, version } = await (await client()).surveys.get(id, { signal });
    const { title } = definition as { readonly title: unknown };
    const heading = typeof title === 'string' ? title : String(Object.values(title as object)[0]);
    const text = toAnswerTypes(definition, `${heading}, version ${version}`);
    const output = option('output');
    if (output === undefined) stdout.write(text);
    else await writeFile(output, text);
    return 0;
  },
};
