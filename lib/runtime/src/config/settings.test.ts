import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choice, flag, integer, json, list, optionalText, optionalUrl, port, text, url } from './kinds.ts';
import { ConfigError, describeSettings, readConfig, type SettingProblem } from './settings.ts';

const settings = {
  name: text({ env: 'NAME', help: 'A name.' }),
  note: optionalText({ env: 'NOTE', help: 'A note.' }),
  port: port({ env: 'PORT', fallback: '8080', help: 'A port.' }),
  count: integer({ env: 'COUNT', fallback: '3', min: 1, max: 5, help: 'A count.' }),
  on: flag({ env: 'ON', fallback: 'false', help: 'A switch.' }),
  size: choice({ env: 'SIZE', fallback: 's', values: ['s', 'm'], help: 'A size.' }),
  names: list({ env: 'NAMES', fallback: '', help: 'Names.' }),
  address: url({ env: 'ADDRESS', fallback: 'http://localhost:1/', help: 'An address.' }),
  website: optionalUrl({ env: 'WEBSITE', help: 'A website.' }),
  key: json({ env: 'KEY', secret: true, help: 'A key.' }),
};

function problemsOf(table: Parameters<typeof readConfig>[0], env: NodeJS.ProcessEnv): readonly SettingProblem[] {
  try {
    readConfig(table, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('readConfig', () => {
  it('reads variables, with fallbacks for missing ones', () => {
    const config = readConfig(settings, { NAME: 'n', PORT: '0', NAMES: 'a, b,,c', KEY: '{"k":1}' });
    expect(config).toEqual({
      name: 'n',
      note: undefined,
      port: 0,
      count: 3,
      on: false,
      size: 's',
      names: ['a', 'b', 'c'],
      address: 'http://localhost:1',
      website: undefined,
      key: { k: 1 },
    });
  });

  it('trims addresses, and rejects white space in them', () => {
    const env = { NAME: 'n', KEY: '{}' };
    expect(readConfig(settings, { ...env, ADDRESS: 'https://identity:8080/\n' }).address).toBe('https://identity:8080');
    expect(problemsOf(settings, { ...env, ADDRESS: 'https://iden\ntity' })).toHaveLength(1);
  });

  it('reports all problems at once, without secrets', () => {
    const env = { PORT: '70000', COUNT: '1e1', ON: 'yes', SIZE: 'l', ADDRESS: 'ftp://x', KEY: 'topsecret' };
    const problems = problemsOf(settings, env);
    expect(problems.map(({ text }) => text.split(' ')[0])).toEqual([
      'NAME',
      'PORT',
      'COUNT',
      'ON',
      'SIZE',
      'ADDRESS',
      'KEY',
    ]);
    expect(problems.map(({ variables }) => variables)).toEqual(problems.map(({ text }) => [text.split(' ')[0]]));
    expect(JSON.stringify(problems)).not.toContain('topsecret');
  });

  it('names all variables that a problem depends on', () => {
    const user = { env: 'USER', help: 'a user', fallback: '', parse: String };
    const password = {
      ...user,
      env: 'PASSWORD',
      check: (rawValueOf: (env: string) => string) =>
        rawValueOf('PASSWORD') && !rawValueOf('USER') ? 'needs USER' : undefined,
    };
    expect(problemsOf({ user, password }, { PASSWORD: 'x' })).toEqual([
      { text: 'PASSWORD needs USER', variables: ['PASSWORD', 'USER'] },
    ]);
  });

  it('reads a secret from the file that its _FILE variable names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'survey-config-'));
    try {
      writeFileSync(join(folder, 'key'), '{"from":"file"}\n');
      const read = (file: string) => readConfig(settings, { NAME: 'n', KEY_FILE: file }).key;
      expect(read(join(folder, 'key'))).toEqual({ from: 'file' });
      expect(() => read(join(folder, 'none'))).toThrow(ConfigError);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('does not read files for settings that are not secret', () => {
    expect(() => readConfig(settings, { NAME_FILE: '/etc/hostname', KEY: '{}' })).toThrow('NAME is not set');
  });
});

describe('describeSettings', () => {
  it('describes every variable with its rule and meaning', () => {
    const help = describeSettings(settings);
    expect(help).toContain('NAME (required)\n    A name.');
    expect(help).toContain('NOTE (optional)');
    expect(help).toContain('NAMES (optional)');
    expect(help).toContain('PORT (default 8080)');
    expect(help).toContain('KEY (required), or KEY_FILE');
  });

  it('reports an empty list, an empty secret file, and an array instead of an object', () => {
    const folder = mkdtempSync(join(tmpdir(), 'survey-settings-'));
    const file = join(folder, 'empty');
    writeFileSync(file, '\n');
    const table = {
      brokers: list({ env: 'BROKERS', help: 'Where.' }),
      key: json({ env: 'KEY', secret: true, help: 'What.' }),
      uri: text({ env: 'URI', secret: true, help: 'Which.' }),
    };
    try {
      const read = () => readConfig(table, { BROKERS: ' , ', KEY: '[]', URI_FILE: file });
      expect(read).toThrow(/BROKERS must name at least one\n.*KEY must be a JSON object\n.*URI is not set/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
