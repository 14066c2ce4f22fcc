import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listPackages } from '@survey/tools/packages/published-packages';
import { expect, inject, it } from 'vitest';
import { root } from '../support/run-step.ts';

interface Published {
  readonly name: string;
  readonly versions: Readonly<Record<string, { readonly repository?: unknown }>>;
}

// Builds and packs all packages twice, so it runs only in `npm run test:all`.
it.skipIf(inject('testScope') !== 'all')(
  '`npm run release -- packages` publishes each package once',
  async () => {
    const published = new Map<string, Published>();
    // A registry that stores packages as npm sends them.
    const registry = createServer((request, response) => {
      const name = decodeURIComponent(request.url ?? '').slice(1);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.method === 'PUT') published.set(name, JSON.parse(Buffer.concat(chunks).toString()));
        const found = published.get(name);
        response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(found ?? {}));
      });
    });
    await once(registry.listen(0, '127.0.0.1'), 'listening');
    const host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
    const env = {
      ...process.env,
      [`npm_config_//${host}/:_authToken`]: 'token',
      GITHUB_SERVER_URL: 'https://example.org',
      GITHUB_REPOSITORY: 'owner/name',
    };
    const release = async () => {
      const args = [join(root, 'tools/release/release.ts'), 'packages', '--registry', `http://${host}`];
      return (await promisify(execFile)(process.execPath, args, { env })).stdout;
    };
    try {
      await release();
      const packages = await listPackages();
      expect([...published.keys()].sort()).toEqual(packages.map(({ manifest }) => manifest.name).sort());
      for (const { manifest, folder } of packages)
        expect(published.get(manifest.name)?.versions[manifest.version]?.repository).toEqual({
          type: 'git',
          url: 'git+https://example.org/owner/name.git',
          directory: folder,
        });
      for (const [name, { versions }] of published) expect(Object.keys(versions), name).toHaveLength(1);

      const again = await release();
      for (const { manifest } of packages)
        expect(again).toContain(`${manifest.name}@${manifest.version} is published already`);
    } finally {
      registry.close();
      registry.closeAllConnections();
    }
  },
  300_000,
);
