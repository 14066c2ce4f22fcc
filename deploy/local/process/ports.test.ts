import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPorts } from './ports.ts';

let claims: string;
let listener: Server;
let taken: number;

beforeEach(async () => {
  claims = await mkdtemp(join(tmpdir(), 'ports-'));
  listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  taken = (listener.address() as AddressInfo).port;
});

afterEach(async () => {
  listener.close();
  await rm(claims, { recursive: true });
});

describe('claim', () => {
  it('returns the next free port if the usual one is taken', async () => {
    expect(await createPorts(claims).claim(taken)).toBeGreaterThan(taken);
  });

  it('never returns the same port to two stacks that start concurrently', async () => {
    const stacks = [createPorts(claims), createPorts(claims), createPorts(claims)];
    const ports = await Promise.all(stacks.map((stack) => stack.claim(taken)));
    expect(new Set(ports).size).toBe(3);
  });

  it('returns a single port again after its release, and keeps the others', async () => {
    const ports = createPorts(claims);
    const [first, second] = [await ports.claim(taken), await ports.claim(taken)];
    ports.release(first);
    expect(await ports.claim(taken)).toBe(first);
    expect(await ports.claim(taken)).toBeGreaterThan(second);
  });

  it('returns a port again after its release', async () => {
    const ports = createPorts(claims);
    const port = await ports.claim(taken);
    ports.release();
    expect(await createPorts(claims).claim(taken)).toBe(port);
  });
});

describe('claimExactly', () => {
  it('throws an error that names the port if it is taken', async () => {
    await expect(createPorts(claims).claimExactly(taken)).rejects.toThrow(`port ${taken} is taken`);
  });
});
