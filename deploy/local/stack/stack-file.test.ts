import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStackFile, loadStackInfo, type StackInfo } from './stack-file.ts';

const info: StackInfo = {
  gateway: 'http://127.0.0.1:8080',
  tenant_id: 't',
  user_id: 'u',
  token: 'x',
  services: { gateway: { pid: 1, http: 'http://127.0.0.1:8080', admin: 'http://127.0.0.1:8081' } },
  mongodb: { pid: 2 },
  kafka: {},
  mongodb_uri: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  kafka_brokers: '127.0.0.1:9092',
};

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stack-file-'));
  path = join(folder, 'stack.json');
});

afterEach(() => rm(folder, { recursive: true }));

describe('stack.json', () => {
  it('can be read by this user only', async () => {
    await createStackFile(path).write(info);
    expect(await loadStackInfo(folder)).toEqual(info);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('contains the last of concurrent writes', async () => {
    const file = createStackFile(path);
    await Promise.all([1, 2, 3].map((pid) => file.write({ ...info, mongodb: { pid } })));
    expect(JSON.parse(await readFile(path, 'utf8')).mongodb.pid).toBe(3);
  });

  it('does not come back after its removal', async () => {
    const file = createStackFile(path);
    const writing = file.write(info);
    await file.remove();
    await writing;
    await file.write(info);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is written and removed although an earlier write failed', async () => {
    const blocked = join(folder, 'blocked');
    await writeFile(blocked, '');
    const inside = join(blocked, 'stack.json');
    const file = createStackFile(inside);
    await expect(file.write(info)).rejects.toThrow();
    await rm(blocked);
    await file.write(info);
    expect(JSON.parse(await readFile(inside, 'utf8'))).toEqual(info);
    await file.remove();
    expect(await readdir(blocked)).toEqual([]);
  });

  it('says how to start a stack if there is none', async () => {
    await expect(loadStackInfo(folder)).rejects.toThrow('start one with "npm start"');
    await writeFile(path, '{');
    await expect(loadStackInfo(folder)).rejects.toThrow(`cannot read ${path}: it is no JSON`);
    await rm(path);
    await mkdir(path);
    await expect(loadStackInfo(folder)).rejects.toThrow(`cannot read ${path}: EISDIR`);
  });
});
