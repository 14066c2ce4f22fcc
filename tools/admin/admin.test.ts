import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseCommandLine, UsageError } from '@survey/local/process/command-line';
import { toPaths } from '@survey/local/stack/folder';
import { ensureKeys } from '@survey/local/stack/keys';
import { decodeJwt, UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { options } from './command.ts';
import { runAdminCommand } from './run-admin-command.ts';

const script = fileURLToPath(new URL('admin.ts', import.meta.url));

const unsigned = (claims: object) => new UnsecuredJWT({ ...claims }).encode();

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'admin-'));
});

afterEach(() => rm(folder, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const admin = (...args: string[]) => adminWith({}, ...args);

function adminWith(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, ...args],
      { env: { ...process.env, LOCAL_DIR: folder, ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** The error of a command in this process. Starting a process for each would be slow. */
async function errorOf(args: readonly string[]): Promise<Error> {
  try {
    await runAdminCommand(parseCommandLine({ args: [...args], options, allowPositionals: true }));
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('the command did not fail');
}

describe('admin', () => {
  it('prints its usage for --help, and with a message after a mistake', async () => {
    const help = await admin('--help');
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('usage: npm run') });
    expect(help.stdout).toContain('demo [--name NAME]');
    const mistake = await admin('tenant', 'create', '--nmae', 'A');
    expect(mistake).toMatchObject({ code: 2, stdout: '' });
    expect(mistake.stderr).toMatch(/--nmae.*usage: npm run/s);
  });

  it('reports all problems of the Kafka variables', async () => {
    const { code, stderr } = await admin('dead-letters', 'list', '--topic', 'survey.events');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('no stack is running in') });
    const env = { KAFKA_BROKERS: '127.0.0.1:1', KAFKA_TLS: 'maybe', KAFKA_SASL_MECHANISM: 'plain' };
    const wrong = await adminWith(env, 'dead-letters', 'list', '--topic', 'survey.events');
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('KAFKA_TLS');
    expect(wrong.stderr).toContain('KAFKA_SASL_USERNAME');
  });

  it('adds only the addresses of the installation to the file of --command-config', async () => {
    const env = { KAFKA_BROKERS: '127.0.0.1:1', KAFKA_SASL_MECHANISM: 'plain', KAFKA_TLS: 'true' };
    const installation = { gateway: '', keys_folder: folder, processes: { identity: { env } } };
    const [description, properties] = [join(folder, 'installation.json'), join(folder, 'client.properties')];
    await writeFile(description, JSON.stringify(installation));
    await writeFile(properties, 'security.protocol=PLAINTEXT\n');
    const command = ['offsets', 'reset', '--to-datetime', '2026-11-22T03:00:00Z'];
    const SURVEY_INSTALLATION = description;
    const without = await adminWith({ SURVEY_INSTALLATION }, ...command);
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('KAFKA_SASL_USERNAME is not set') });
    const withFile = await adminWith({ SURVEY_INSTALLATION }, ...command, '--command-config', properties);
    expect(withFile).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED 127.0.0.1:1') });
  });

  it('creates no tenant for a demo if it could not sign its token', async () => {
    const installation = {
      gateway: '',
      keys_folder: folder,
      processes: { identity: { env: {}, grpc: '127.0.0.1:1' } },
    };
    const description = join(folder, 'installation.json');
    await writeFile(description, JSON.stringify(installation));
    const { internalKeyOf } = await ensureKeys(toPaths(folder).keys);
    await copyFile(internalKeyOf('operator'), join(folder, 'internal-operator.json'));
    const { code, stderr } = await adminWith({ SURVEY_INSTALLATION: description }, 'demo');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^cannot read .*issuer\.json: .*other installations have their own issuers/);
  });

  it('prints a token as one line of JSON, without a running stack', async () => {
    await ensureKeys(toPaths(folder).keys);
    const { code, stdout } = await admin('token', '--tenant', 't1', '--user', 'u1', '--expires-in', '90');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\{.*\}\n$/);
    const { tenant_id, sub, iat = 0, exp = 0 } = decodeJwt(JSON.parse(stdout).token);
    expect({ tenant_id, sub, seconds: exp - iat }).toEqual({ tenant_id: 't1', sub: 'u1', seconds: 90 });
  });

  it.each([
    ['nothing', '', 'contains no token'],
    ['no token', 'svk_abc', 'contains no token'],
    ['the token of another tenant', unsigned({ tenant_id: 't2', sub: 'u1', jti: 'j1' }), 'belongs to another tenant'],
    ['a token without an id', unsigned({ tenant_id: 't1', sub: 'u1' }), 'has no sub or jti'],
  ])('rejects a token file with %s', async (_case, text, message) => {
    const file = join(folder, 'token');
    await writeFile(file, text);
    const error = await errorOf(['token', 'revoke', '--tenant', 't1', '--token-file', file]);
    expect(error).not.toBeInstanceOf(UsageError);
    expect(error.message).toContain(message);
  });

  it('fails with a clear line when no stack runs', async () => {
    const { code, stdout, stderr } = await admin('tenant', 'create', '--name', 'N', '--owner-email', 'a@example.com');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^no stack is running in .*: start one with "npm start"\n$/);
  });

  it.each([
    [[], 'a command is missing'],
    [['demo', '--tenant', 't'], 'demo takes no --tenant'],
    [['tenant', 'forget'], 'no such command: tenant forget'],
    [['tenant', 'suspend'], 'tenant suspend needs --tenant'],
    [['tenant', 'resume', '--tenant', 't', '--confirm', 't'], 'tenant resume takes no --confirm'],
    [['tenant', 'delete', '--tenant', 't'], 'tenant delete needs --confirm'],
    [['tenant', 'delete', '--tenant', 't', '--confirm', 'T'], '--confirm is not the id of the tenant'],
    [['tenant', 'limits', '--tenant', 't', '--requests-per-minute', '0'], '--requests-per-minute is a whole number'],
    [['tenant', 'limits', '--tenant', 't', '--concurrent-requests', '2147483648'], '1 to 2147483647'],
    [['tenant', 'create', '--name', 'N'], 'tenant create needs --owner-email'],
    [['token', '--tenant', 't', '--user', 'u', '--role', 'owner'], 'token takes no --role'],
    [['token', '--tenant', 't', '--user', 'u', '--expires-in', '1.5'], '--expires-in is a whole number'],
    [['token', '--tenant', 't', '--user', 'u', '--expires-in', '2592001'], '1 to 2592000'],
    [['keys', 'rotate'], 'keys rotate needs --tenant'],
    [['keys', 'rewrap', '--tenant', 't'], 'keys rewrap takes no --tenant'],
    [['token', 'revoke'], 'token revoke needs --tenant'],
    [['token', 'revoke', '--tenant', 't'], 'needs --token-file, or --user and --token-id'],
    [['token', 'revoke', '--tenant', 't', '--user', 'u'], 'needs --token-file, or --user and --token-id'],
    [['token', 'revoke', '--tenant', 't', '--user', 'u', '--token-file', 'f'], 'needs --token-file, or --user'],
    [['token', '--nonsense'], "Unknown option '--nonsense'"],
    [['dead-letters', 'list', '--topic', 'nope.events'], '--topic must be one of survey.events, response.events'],
  ])('rejects the arguments %j', async (args, message) => {
    const error = await errorOf(args);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain(message);
  });
});
