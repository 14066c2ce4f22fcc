import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exists } from '@survey/local/process/files';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BASE } from './image-commands.ts';
import { imageNames } from './names.ts';

const script = fileURLToPath(new URL('cluster.ts', import.meta.url));

const DIGEST = `sha256:${'0a'.repeat(32)}`;

/** A fake kubectl, helm and docker. Records its arguments and input, and forwards ports until it is stopped. */
const PROGRAM = `#!/bin/sh
echo "$(basename "$0") $*" >> "$CALLS"
case "$*" in
  "get persistentvolumes"*) echo "$VOLUMES" ;;
  "get namespace"*) echo "$FOUND_NAMESPACE" ;;
  "buildx imagetools inspect"*) echo ${DIGEST} ;;
  "apply --filename -") cat >> "$CALLS" ;;
  *port-forward*) exec sleep 10 ;;
esac
`;

let folder: string;
let calls: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'cluster-')));
  calls = join(folder, 'calls');
  await writeFile(calls, '');
  await mkdir(join(folder, 'bin'));
  for (const name of ['kubectl', 'helm', 'docker']) {
    await writeFile(join(folder, 'bin', name), PROGRAM);
    await chmod(join(folder, 'bin', name), 0o755);
  }
});

afterEach(() => rm(folder, { recursive: true }));

const withFakes = (env: NodeJS.ProcessEnv = {}) => {
  const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`;
  return { cwd: folder, env: { ...process.env, CALLS: calls, VOLUMES: '{"items":[]}', PATH, ...env } };
};

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function cluster(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], withFakes(env), (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe('npm run cluster', () => {
  it.each([
    [['down', '--namespace', 'test'], 'down takes no --namespace'],
    [['up', '--release', 'eu'], 'up takes no --release'],
    [['test', '--folder', 'f'], 'test takes no --folder'],
    [['forward', '--unpinned'], 'forward takes no --unpinned'],
    [['delete'], 'no such command: delete'],
  ])('runs nothing for %j', async (args, message) => {
    const { code, stderr } = await cluster(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(await readFile(calls, 'utf8')).toBe('');
  });

  it('stores data in the given folder if the cluster has no StorageClass', async () => {
    expect(await cluster(['up', '--folder', 'here'])).toMatchObject({ code: 0 });
    const called = await readFile(calls, 'utf8');
    for (const claim of ['data-mongodb-0', 'data-kafka-0'])
      expect(called).toContain(`"path":"${join(folder, 'here/volumes', claim)}"`);
    expect(called).toMatch(/\nhelm upgrade --install survey helm --namespace survey /);
  });

  it('removes everything, and the data that the volumes of the cluster have in the folder', async () => {
    const [used, other] = [join(folder, 'volumes/data-mongodb-0'), join(folder, 'volumes/data-kafka-0')];
    for (const path of [used, other]) await mkdir(join(path, 'db'), { recursive: true });
    const volumes = [
      { metadata: { name: 'survey-data-mongodb-0' }, spec: { hostPath: { path: used } } },
      { metadata: { name: 'survey-data-kafka-0' }, spec: { hostPath: { path: '/data/of/another/folder' } } },
      { metadata: { name: 'of-others' }, spec: {} },
    ];
    const trial = { metadata: { labels: { 'app.kubernetes.io/part-of': 'survey-trial' } } };
    const env = { VOLUMES: JSON.stringify({ items: volumes }), FOUND_NAMESPACE: JSON.stringify(trial) };
    const down = await cluster(['down', '--folder', folder], env);
    expect(down).toMatchObject({ code: 0 });
    expect((await readFile(calls, 'utf8')).trim().split('\n')).toEqual([
      'kubectl get namespace survey --ignore-not-found --output json',
      'kubectl get persistentvolumes --output json',
      'helm uninstall survey --namespace survey --ignore-not-found --wait',
      'kubectl delete namespace survey --ignore-not-found',
      'kubectl delete persistentvolumes --ignore-not-found survey-data-mongodb-0 survey-data-kafka-0',
    ]);
    expect([await exists(used), await exists(other)]).toEqual([false, true]);
  });

  it.each(['up', 'down'])('changes nothing by %s in an installation that is no trial', async (command) => {
    const other = { metadata: { labels: { 'kubernetes.io/metadata.name': 'survey' } } };
    const ran = await cluster([command, '--folder', folder], { FOUND_NAMESPACE: JSON.stringify(other) });
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('kubectl label namespace survey app.kubernetes.io/part-of=survey-trial'),
    });
    expect((await readFile(calls, 'utf8')).trim().split('\n')).toEqual([
      'kubectl get namespace survey --ignore-not-found --output json',
    ]);
  });

  it('says that a program is missing', async () => {
    const { code, stderr } = await cluster(['up', '--folder', folder], { PATH: folder });
    expect({ code, stderr: stderr.trim().split('\n').at(-1) }).toEqual({
      code: 1,
      stderr: 'kubectl cannot be run: is it installed?',
    });
  });
});

describe('npm run cluster -- images', () => {
  it('builds every image on the base image with its digest, and tells how far it is', async () => {
    const { code, stderr } = await cluster(['images']);
    expect(code).toBe(0);
    const builds = (await readFile(calls, 'utf8')).split('\n').filter((line) => line.startsWith('docker build '));
    expect(builds).toHaveLength(imageNames.length);
    for (const build of builds) expect(build).toContain(` --build-arg BASE=${BASE}@${DIGEST} `);
    for (const index of imageNames.keys()) expect(stderr).toContain(`image ${index + 1} of ${imageNames.length}`);
  });

  it.each([
    ['a space', ['--base', `node@${DIGEST}`]],
    ['an equals sign', [`--base=node@${DIGEST}`]],
  ])('takes another base image, named after %s', async (_case, args) => {
    const { code, stdout } = await cluster(['commands', ...args]);
    expect(code).toBe(0);
    expect(stdout).toContain(` --build-arg BASE=node@${DIGEST} `);
  });

  it('pushes the images of a release, with their SBOM and provenance', async () => {
    expect(await cluster(['images', '--push', 'registry.example.com/owner'])).toMatchObject({ code: 0 });
    const builds = (await readFile(calls, 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('docker buildx build '));
    expect(builds).toHaveLength(imageNames.length);
    expect(builds[0]).toContain('docker buildx build --push --sbom=true --provenance=mode=max --file ');
    expect(builds[0]).toContain(` --build-arg BASE=${BASE}@${DIGEST} `);
    expect(builds[0]).toMatch(/ --tag registry\.example\.com\/owner\/survey-gateway:\d+\.\d+\.\d+ \.$/);
  });
});

describe('npm run cluster -- forward', () => {
  let running: ChildProcess;
  afterEach(() => running.kill('SIGKILL'));

  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('leaves no stack.json after %s', async (signal) => {
    const stackFile = join(folder, 'stack.json');
    running = spawn(process.execPath, [script, 'forward', '--folder', folder], { ...withFakes(), stdio: 'ignore' });
    const exited = once(running, 'exit');
    await poll(() => exists(stackFile));
    running.kill(signal);
    expect(await exited).toEqual(signal === 'SIGKILL' ? [null, signal] : [0, null]);
    await poll(async () => !(await exists(stackFile)));
  });
});
