import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpListener } from '../service/http-listener.ts';
import { closeAfterEach } from '../testing/close-after-each.ts';
import { poll } from '../testing/poll.ts';
import { startTestServer } from '../testing/rpc/test-server.ts';
import { type CertificateName, certificatesOf } from '../testing/test-certificates.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { testLog } from '../testing/test-log.ts';
import { createPeerTls, type PeerTls } from './peer-tls.ts';
import { connectService } from './service-client.ts';

let keys: TestKeys;
const open = closeAfterEach();

beforeAll(async () => {
  keys = await createTestKeys();
});
afterAll(() => keys.close());

async function mount(name: CertificateName): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-tls-'));
  open.push({ close: () => rm(folder, { recursive: true }) });
  await cp(certificatesOf(name), folder, { recursive: true });
  return folder;
}

async function load(folder: string): Promise<PeerTls> {
  const tls = await createPeerTls({ folder, log: testLog, recheckMs: 20 });
  open.push(tls);
  return tls;
}

const loadNamed = async (name: CertificateName) => load(await mount(name));

/** Replaces the certificates of a folder, and waits until they are in use. */
async function exchange(folder: string, tls: PeerTls, name: CertificateName): Promise<void> {
  const changed = new Promise<void>((resolve) => tls.onChange(resolve));
  await cp(certificatesOf(name), folder, { recursive: true });
  await changed;
}

async function startGrpc(tls: PeerTls): Promise<string> {
  const server = await startTestServer({ jwksFile: keys.jwksFile, tls });
  open.push({ close: () => server.close(0) });
  return `localhost:${server.port}`;
}

async function getPermissions(address: string, tls?: PeerTls, serverName?: string) {
  const minter = await keys.minterOf('gateway');
  const connection = connectService({ name: 'identity', address, minter, tls, serverName });
  try {
    return await connection.client(PermissionService).getPermissions({});
  } finally {
    connection.close();
  }
}

const rejected = { code: 'UNAVAILABLE' };

describe('gRPC with certificates', () => {
  it('is served to a client with a certificate of the same CA', async () => {
    const address = await startGrpc(await loadNamed('first'));
    await getPermissions(address, await loadNamed('second'));
  });

  it('is served at another host name, if the client expects the name of the certificate', async () => {
    const address = await startGrpc(await loadNamed('elsewhere'));
    const tls = await loadNamed('first');
    await getPermissions(address, tls, 'elsewhere.test');
    for (const name of ['localhost', undefined])
      await expect(getPermissions(address, tls, name)).rejects.toMatchObject(rejected);
  });

  it.each<[string, CertificateName | undefined]>([
    ['without TLS', undefined],
    ['with a certificate of another authority', 'stranger'],
  ])('is not served to a client %s', async (_, name) => {
    const address = await startGrpc(await loadNamed('first'));
    const tls = name === undefined ? undefined : await loadNamed(name);
    await expect(getPermissions(address, tls)).rejects.toMatchObject(rejected);
  });

  it('is rejected by a client if the certificate is for another name', async () => {
    const address = await startGrpc(await loadNamed('elsewhere'));
    await expect(getPermissions(address, await loadNamed('first'))).rejects.toMatchObject(rejected);
  });

  it('is not called in plain text by a client with certificates', async () => {
    const server = await startTestServer({ jwksFile: keys.jwksFile });
    open.push({ close: () => server.close(0) });
    await expect(getPermissions(`localhost:${server.port}`, await loadNamed('first'))).rejects.toMatchObject(rejected);
  });

  it('continues with new certificates on both sides without a restart', async () => {
    const [here, there] = [await mount('stranger'), await mount('first')];
    const [server, client] = [await load(here), await load(there)];
    const address = await startGrpc(server);
    const connection = connectService({
      name: 'identity',
      address,
      minter: await keys.minterOf('gateway'),
      tls: client,
    });
    open.push(connection);
    const permissions = connection.client(PermissionService);
    await expect(permissions.getPermissions({})).rejects.toMatchObject(rejected);
    await exchange(here, server, 'first');
    // The client connects again after a pause.
    await poll(() => permissions.getPermissions({}));
    await exchange(there, client, 'stranger');
    await expect(getPermissions(address, client)).rejects.toMatchObject(rejected);
  });
});

describe('REST with certificates', () => {
  function request(port: number, tls: PeerTls | undefined): Promise<string> {
    const agent = new Agent({ ...(tls?.current() ?? { rejectUnauthorized: false }) });
    return new Promise((resolve, reject) => {
      const sent = get({ host: 'localhost', port, agent }, (response) => void text(response).then(resolve, reject));
      sent.on('error', reject);
    });
  }

  it('is served only to clients with a certificate of the same CA, and follows the files', async () => {
    const folder = await mount('first');
    const tls = await load(folder);
    const listener = createHttpListener((_, response) => response.end('served'), tls);
    open.push({ close: () => listener.close(0) });
    const port = await listener.listen(0, '127.0.0.1');
    expect(await request(port, await loadNamed('second'))).toBe('served');
    await expect(request(port, undefined)).rejects.toThrow();
    await expect(request(port, await loadNamed('stranger'))).rejects.toThrow();
    await exchange(folder, tls, 'stranger');
    expect(await request(port, await loadNamed('stranger'))).toBe('served');
    await expect(request(port, await loadNamed('second'))).rejects.toThrow();
  });
});

describe('files of certificates', () => {
  it.each([
    ['lack one', 'ca.crt', undefined, 'ca.crt'],
    ['have a key of another certificate', 'tls.key', 'second/tls.key', 'key values mismatch'],
    ['have no certificate', 'tls.crt', 'first/tls.key', 'TLS_DIR'],
    ['have no authority', 'ca.crt', 'first/tls.key', 'TLS_DIR'],
    ['have an invalid authority', 'ca.crt', 'first/tls.crt', 'no CA certificate'],
  ])('that %s are rejected at the start', async (_, file, by, message) => {
    const folder = await mount('first');
    if (by === undefined) await rm(join(folder, file));
    else await cp(join(certificatesOf('first'), '..', by), join(folder, file));
    await expect(load(folder)).rejects.toThrow(message);
  });

  it('that become unusable leave the last ones in use', async () => {
    const folder = await mount('first');
    const tls = await load(folder);
    const before = tls.current();
    await writeFile(join(folder, 'tls.crt'), 'half written');
    const address = await startGrpc(tls);
    await getPermissions(address, tls);
    expect(tls.current()).toBe(before);
    await exchange(folder, tls, 'second');
    expect(tls.current().cert).not.toEqual(before.cert);
    await getPermissions(address, tls);
  });
});
