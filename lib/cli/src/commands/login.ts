import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { createClient } from '@survey/client';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { removeCredentials, storeCredentials } from '../credentials.ts';

export const login: Command = {
  usage: '--url URL',
  summary: 'asks for an API key (or reads it from standard input), checks it, and stores it for this user',
  options: { url: { type: 'string' } },
  arity: [0, 0],
  run: async (context) => {
    const url = context.option('url') ?? context.env['SURVEY_URL'];
    if (url === undefined) throw new UsageError('usage: survey login --url URL');
    const token = context.env['SURVEY_TOKEN'] || (await askForKey(context));
    if (token === '') throw new UsageError('the API key is missing');
    const me = await createClient({ baseUrl: url, token }).account.getMe({ signal: context.signal });
    const file = await storeCredentials(context.env, { url, token });
    context.note(`Logged in as ${me.role} ${me.user_id} of tenant ${me.tenant_id}. The key is in ${file}.`);
    return 0;
  },
};

export const logout: Command = {
  usage: '',
  summary: 'deletes the stored API key from this machine',
  arity: [0, 0],
  run: async ({ env }) => {
    await removeCredentials(env);
    return 0;
  },
};

/**
 * Reads a line. A terminal does not show what the user types: keys on screens and in arguments get into logs and
 * histories.
 */
async function askForKey({ stdin, stderr, signal }: CommandContext): Promise<string> {
  const isTerminal = stdin.isTTY === true;
  if (isTerminal) stderr.write('API key: ');
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden, terminal: isTerminal, signal });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
    if (isTerminal) stderr.write('\n');
  }
}
