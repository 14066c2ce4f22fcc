import { describe, expect, it } from 'vitest';
import { entriesOf, type Manifest, toPublished, withoutUnusedDependencies } from './manifest.ts';

const manifest: Manifest = {
  name: '@survey/example',
  version: '1.2.3',
  private: true,
  license: 'Apache-2.0',
  exports: {
    '.': './src/index.ts',
    './part': './src/part/index.ts',
    './data.json': './data.json',
    './*': './src/*.ts',
  },
  bin: { example: './src/main.ts' },
  dependencies: { '@survey/other': '1.2.3' },
  devDependencies: { vitest: '5.1.1' },
};

describe('the published package.json', () => {
  it('names built files, and keeps what users need', () => {
    expect(toPublished(manifest, { url: 'git+https://example.org/repository.git', directory: 'lib/example' })).toEqual({
      name: '@survey/example',
      version: '1.2.3',
      license: 'Apache-2.0',
      repository: { type: 'git', url: 'git+https://example.org/repository.git', directory: 'lib/example' },
      files: ['dist', 'CHANGELOG.md'],
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './part': { types: './dist/part/index.d.ts', default: './dist/part/index.js' },
        './data.json': './dist/data.json',
        './package.json': './package.json',
      },
      bin: { example: './dist/main.js' },
      dependencies: { '@survey/other': '1.2.3' },
    });
  });

  it('of a program has no exports', () => {
    const { exports: _, ...program } = manifest;
    expect(toPublished(program)).not.toHaveProperty('exports');
    expect(toPublished(program)).not.toHaveProperty('repository');
  });
});

it('a package depends on the packages that it imports', () => {
  const dependencies = { '@survey/other': '1.2.3', unused: '1.0.0' };
  expect(withoutUnusedDependencies({ ...manifest, dependencies }, new Set(['@survey/other', 'node:fs']))).toEqual(
    manifest,
  );
  expect(withoutUnusedDependencies(manifest, new Set())).not.toHaveProperty('dependencies');
});

it('a package is built from what users import and run', () => {
  expect(entriesOf(manifest)).toEqual(['./src/index.ts', './src/part/index.ts', './data.json', './src/main.ts']);
});
