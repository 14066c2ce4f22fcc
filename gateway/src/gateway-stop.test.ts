import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@survey/runtime/testing/network/free-port';
import { poll } from '@survey/runtime/testing/poll';
import { processEnv } from '@survey/runtime/testing/processes/process-env';
import { afterEach, expect, it } from 'vitest';
import { createTestDependencies, type TestDependencies } from './testing/test-gateway.ts';
import { sendRaw } from './testing/test-server.ts';

let surroundings: TestDependencies;
let child: ChildProcess;
afterEach(async () => {
  child.kill('SIGKILL');
  await surroundings.close();
});

async function startGateway(env: Record<string, string>): Promise<{ port: number; admin: string }> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const admin = `http://127.0.0.1:${adminPort}`;
  child = spawn(process.execPath, [`${import.meta.dirname}/main.ts`], {
    env: processEnv({ ...surroundings.env, PORT: String(port), ADMIN_PORT: String(adminPort), ...env }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await poll(async () => (await fetch(`${admin}/readyz`)).ok);
  return { port, admin };
}

it('a gateway that is stopped under load replies to every accepted request, and exits cleanly', async () => {
  surroundings = await createTestDependencies(async (_request, response) => {
    await delay(20);
    response.end('[]');
  });
  surroundings.grants.set('tenant-1/anna', ['surveys:read']);
  const { port, admin } = await startGateway({ DRAIN_MS: '1000' });
  const authorization = `Bearer ${await surroundings.issuer.sign({ sub: 'anna' })}`;
  // Load balancers open connections that they never use. They must not delay the shutdown.
  const silent = connect(port, '127.0.0.1').on('error', () => undefined);
  const agent = new Agent({ keepAlive: true });
  const outcomes: (number | string)[] = [];
  let stopped = false;

  async function client(): Promise<void> {
    while (!stopped) outcomes.push(await readSurveys(port, authorization, agent));
  }
  const clients = Array.from({ length: 16 }, client);
  await poll(() => outcomes.length > 100);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await poll(async () => (await fetch(`${admin}/readyz`)).status === 503);
  // Load balancers send no new requests now, and pending requests get replies.
  stopped = true;
  await Promise.all(clients);

  expect(new Set(outcomes)).toEqual(new Set([200]));
  expect(await exit).toEqual([0, null]);
  agent.destroy();
  silent.destroy();
});

it('a stopping gateway closes connections with the next reply', async () => {
  surroundings = await createTestDependencies((_request, response) => response.end('[]'));
  const { port, admin } = await startGateway({ DRAIN_MS: '60000' });
  child.kill('SIGTERM');
  await poll(async () => (await fetch(`${admin}/readyz`)).status === 503);
  for (const path of ['/health', '/v1/public/surveys/1']) {
    const reply = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1.1 .*\r\nconnection: close\r\n/is);
  }
});

function readSurveys(port: number, authorization: string, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', path: '/v1/surveys', headers: { authorization }, agent };
    sendRequest(options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', (error) => resolve(error.message))
      .end();
  });
}

it('a gateway that never served, as during set-up, ends without a drain', async () => {
  surroundings = await createTestDependencies((_request, response) => void response.end());
  child = spawn(process.execPath, [`${import.meta.dirname}/main.ts`, 'setup'], {
    // With a drain, the test would exceed its time limit.
    env: processEnv({ ...surroundings.env, DRAIN_MS: '600000' }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
});
