import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ApiError } from '@survey/client';
import { type Command, type CommandContext, type Terminal, UsageError } from './command.ts';
import { login, logout } from './commands/login.ts';
import { responsesPlan, surveysPlan } from './commands/plans.ts';
import {
  responsesCount,
  responsesDelete,
  responsesExport,
  responsesFollow,
  responsesImport,
} from './commands/responses.ts';
import { surveysDiff, surveysPull, surveysPush, surveysValidate } from './commands/surveys.ts';
import { types } from './commands/types.ts';
import { webhooksListen } from './commands/webhooks.ts';
import { openClient } from './credentials.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  login,
  logout,
  'surveys validate': surveysValidate,
  'surveys push': surveysPush,
  'surveys pull': surveysPull,
  'surveys diff': surveysDiff,
  'surveys plan': surveysPlan,
  'responses count': responsesCount,
  'responses export': responsesExport,
  'responses plan': responsesPlan,
  'responses import': responsesImport,
  'responses delete': responsesDelete,
  'responses follow': responsesFollow,
  'webhooks listen': webhooksListen,
  types,
};

const USAGE = `usage: survey COMMAND

${Object.entries(COMMANDS)
  .map(
    ([name, { usage, summary }]) =>
      `  ${`${name} ${usage}`.trimEnd()}\n      ${summary.replaceAll('\n', '\n      ')}\n`,
  )
  .join('')}
  --version
      prints the version of this command

Each command needs "survey login", or the variables SURVEY_URL and SURVEY_TOKEN. The exit code is 1
if a command failed, 2 if it was called wrongly.
`;

/** Runs a command, and returns its exit code. */
export async function runCli(words: readonly string[], terminal: Terminal): Promise<number> {
  const note = (line: string) => void terminal.stderr.write(`${line}\n`);
  if (words.includes('--help') || words.length === 0) {
    terminal.stdout.write(USAGE);
    return words.length === 0 ? 2 : 0;
  }
  if (words.length === 1 && words[0] === '--version') {
    terminal.stdout.write(`${await readVersion()}\n`);
    return 0;
  }
  try {
    const { command, context } = parse(words, terminal);
    return (await command.run(context)) ?? 0;
  } catch (error) {
    if (terminal.signal.aborted) return 130;
    note(describe(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** The package is built into `dist/`, beside `package.json` like `src/`. */
async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')).version;
}

function parse(words: readonly string[], terminal: Terminal): { command: Command; context: CommandContext } {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => Object.hasOwn(COMMANDS, one));
  const command = name === undefined ? undefined : COMMANDS[name];
  if (name === undefined || command === undefined)
    throw new UsageError(`no such command: ${words.join(' ')}; see survey --help`);
  const { values, positionals } = readArguments(name, command, words.slice(name.split(' ').length));
  const [fewest, most] = command.arity;
  if (positionals.length < fewest || positionals.length > most)
    throw new UsageError(`usage: survey ${name} ${command.usage}`);
  const context: CommandContext = {
    ...terminal,
    args: positionals,
    option: (option) => (typeof values[option] === 'string' ? values[option] : undefined),
    hasFlag: (option) => values[option] === true,
    print: (line) => void terminal.stdout.write(`${line}\n`),
    note: (line) => void terminal.stderr.write(`${line}\n`),
    client: () => openClient(terminal.env),
  };
  return { command, context };
}

function readArguments(name: string, { options = {}, usage }: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\nusage: survey ${name} ${usage}`);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const fields = error.errors.map(({ path, code, detail }) => `\n  ${path} ${code}: ${detail}`);
  const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`;
  return `${error.code}: ${error.message}${request}${fields.join('')}`;
}
